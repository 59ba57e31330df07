import BenchHarness
import Foundation
import GRDB

/// An order of a customer.
struct OrderRecord: Codable {
    var id: Int64
    /// The number of the entity, the same in every row.
    var entity: Int8 = 3
    var version: Int64 = 1
    var number: Int64
    var placedAt: Date
    var status: String
    var note: String?
    var customerID: Int64

    enum CodingKeys: String, CodingKey {
        case id = "Z_PK"
        case entity = "Z_ENT"
        case version = "Z_OPT"
        case number = "ZNUMBER"
        case placedAt = "ZPLACEDAT"
        case status = "ZSTATUS"
        case note = "ZNOTE"
        case customerID = "ZCUSTOMER"
    }

    static let customer = belongsTo(CustomerRecord.self)
    static let lines = hasMany(LineRecord.self).order(LineRecord.place)
}

extension OrderRecord: PropertyRecord {
    static let databaseTableName = "ZORDER"
    static let entityName = "Order"
    static let properties: [RecordProperty<OrderRecord>] = [
        RecordProperty("number", \.number), RecordProperty("placedAt", \.placedAt), RecordProperty("status", \.status),
        RecordProperty("note", \.note), RecordProperty("customer", \.customerID),
    ]
    static let relationships: [String: FollowedAssociation<OrderRecord>] = [
        "customer": FollowedAssociation(one: customer), "lines": FollowedAssociation(many: lines, isOrdered: true),
    ]

    init(_ ordinal: Int, of records: RecordGenerator) {
        id = RecordTable.key(ordinal)
        number = records.int64(0, ordinal)
        placedAt = Date(timeIntervalSinceReferenceDate: records.double(1, ordinal))
        status = records.string(2, ordinal)
        note = records.isNull(3, ordinal) ? nil : records.string(3, ordinal)
        customerID = records.int64(4, ordinal)
    }

    var numbers: [Int64] { [customerID] }

    func digestAttributes(into digester: inout RecordDigester) {
        digester.add(number)
        digester.add(placedAt.timeIntervalSinceReferenceDate)
        digester.add(status)
        if let note { digester.add(note) } else { digester.addNull() }
    }
}
