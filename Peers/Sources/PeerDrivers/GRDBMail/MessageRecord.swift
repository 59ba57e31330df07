import BenchHarness
import Foundation
import GRDB

/// A message in a mailbox.
struct MessageRecord: Codable {
    var id: Int64
    /// The number of the entity, the same in every row.
    var entity: Int8 = 2
    var version: Int64 = 1
    var subject: String
    var sender: String
    var recipients: String
    var preview: String
    var body: String
    var receivedAt: Date
    var remindAt: Date?
    var size: Int64
    var priority: Int64
    var isRead: Bool
    var isFlagged: Bool
    var attachment: String?
    var mailboxID: Int64

    enum CodingKeys: String, CodingKey {
        case id = "Z_PK"
        case entity = "Z_ENT"
        case version = "Z_OPT"
        case subject = "ZSUBJECT"
        case sender = "ZSENDER"
        case recipients = "ZRECIPIENTS"
        case preview = "ZPREVIEW"
        case body = "ZBODY"
        case receivedAt = "ZRECEIVEDAT"
        case remindAt = "ZREMINDAT"
        case size = "ZSIZE"
        case priority = "ZPRIORITY"
        case isRead = "ZISREAD"
        case isFlagged = "ZISFLAGGED"
        case attachment = "ZATTACHMENT"
        case mailboxID = "ZMAILBOX"
    }

    static let mailbox = belongsTo(MailboxRecord.self)
}

extension MessageRecord: PropertyRecord {
    static let databaseTableName = "ZMESSAGE"
    static let entityName = "Message"
    static let properties: [RecordProperty<MessageRecord>] = [
        RecordProperty("subject", \.subject), RecordProperty("sender", \.sender),
        RecordProperty("recipients", \.recipients), RecordProperty("preview", \.preview),
        RecordProperty("body", \.body), RecordProperty("receivedAt", \.receivedAt),
        RecordProperty("remindAt", \.remindAt), RecordProperty("size", \.size),
        RecordProperty("priority", \.priority), RecordProperty("isRead", \.isRead),
        RecordProperty("isFlagged", \.isFlagged), RecordProperty("attachment", \.attachment),
        RecordProperty("mailbox", \.mailboxID),
    ]
    static let relationships: [String: FollowedAssociation<MessageRecord>] = [
        "mailbox": FollowedAssociation(one: mailbox)
    ]

    init(_ ordinal: Int, of records: RecordGenerator) {
        id = RecordTable.key(ordinal)
        subject = records.string(0, ordinal)
        sender = records.string(1, ordinal)
        recipients = records.string(2, ordinal)
        preview = records.string(3, ordinal)
        body = records.string(4, ordinal)
        receivedAt = Date(timeIntervalSinceReferenceDate: records.double(5, ordinal))
        remindAt =
            records.isNull(6, ordinal) ? nil : Date(timeIntervalSinceReferenceDate: records.double(6, ordinal))
        size = records.int64(7, ordinal)
        priority = records.int64(8, ordinal)
        isRead = records.bool(9, ordinal)
        isFlagged = records.bool(10, ordinal)
        attachment = records.isNull(11, ordinal) ? nil : records.string(11, ordinal)
        mailboxID = records.int64(12, ordinal)
    }

    var numbers: [Int64] { [mailboxID] }

    func digestAttributes(into digester: inout RecordDigester) {
        digester.add(subject)
        digester.add(sender)
        digester.add(recipients)
        digester.add(preview)
        digester.add(body)
        digester.add(receivedAt.timeIntervalSinceReferenceDate)
        if let remindAt { digester.add(remindAt.timeIntervalSinceReferenceDate) } else { digester.addNull() }
        digester.add(size)
        digester.add(priority)
        digester.add(isRead)
        digester.add(isFlagged)
        if let attachment { digester.add(attachment) } else { digester.addNull() }
    }
}
