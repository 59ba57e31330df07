import BenchHarness
import GRDB

/// A mailbox, to which messages belong.
struct MailboxRecord: Codable {
    var id: Int64
    /// The number of the entity, the same in every row.
    var entity: Int8 = 1
    var version: Int64 = 1
    var name: String

    enum CodingKeys: String, CodingKey {
        case id = "Z_PK"
        case entity = "Z_ENT"
        case version = "Z_OPT"
        case name = "ZNAME"
    }

    static let messages = hasMany(MessageRecord.self)
}

extension MailboxRecord: PropertyRecord {
    static let databaseTableName = "ZMAILBOX"
    static let entityName = "Mailbox"
    static let properties: [RecordProperty<MailboxRecord>] = [RecordProperty("name", \.name)]
    static let relationships: [String: FollowedAssociation<MailboxRecord>] = [
        "messages": FollowedAssociation(many: messages)
    ]

    init(_ ordinal: Int, of records: RecordGenerator) {
        id = RecordTable.key(ordinal)
        name = records.string(0, ordinal)
    }

    func digestAttributes(into digester: inout RecordDigester) { digester.add(name) }
}
