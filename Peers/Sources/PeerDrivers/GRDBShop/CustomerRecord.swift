import BenchHarness
import GRDB

/// A customer of the shop.
struct CustomerRecord: Codable {
    var id: Int64
    /// The number of the entity, the same in every row.
    var entity: Int8 = 1
    var version: Int64 = 1
    var name: String
    var email: String
    var country: String

    enum CodingKeys: String, CodingKey {
        case id = "Z_PK"
        case entity = "Z_ENT"
        case version = "Z_OPT"
        case name = "ZNAME"
        case email = "ZEMAIL"
        case country = "ZCOUNTRY"
    }

    static let orders = hasMany(OrderRecord.self)
}

extension CustomerRecord: PropertyRecord {
    static let databaseTableName = "ZCUSTOMER"
    static let entityName = "Customer"
    static let properties: [RecordProperty<CustomerRecord>] = [
        RecordProperty("name", \.name), RecordProperty("email", \.email), RecordProperty("country", \.country),
    ]
    static let relationships: [String: FollowedAssociation<CustomerRecord>] = [
        "orders": FollowedAssociation(many: orders)
    ]

    init(_ ordinal: Int, of records: RecordGenerator) {
        id = RecordTable.key(ordinal)
        name = records.string(0, ordinal)
        email = records.string(1, ordinal)
        country = records.string(2, ordinal)
    }

    func digestAttributes(into digester: inout RecordDigester) {
        digester.add(name)
        digester.add(email)
        digester.add(country)
    }
}
