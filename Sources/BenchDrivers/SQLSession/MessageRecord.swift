import BenchHarness
import DriverSupport
import Foundation

/// The message of the `wide` scenario, as a programmer would write it by hand. An array of values instead would take a
/// fifth more time to fetch.
struct MessageRecord: SQLRecord {
    let key: Int64
    var version: Int64
    var number: Int64
    var size: Int64
    var thread: Int64
    var priority: Int64
    var replies: Int64
    var views: Int64
    var revision: Int64
    var flags: Int64
    var score: Double
    var spam: Double
    var latitude: Double
    var longitude: Double
    var sentAt: Double
    var receivedAt: Double
    var readAt: Double
    var changedAt: Double
    var isRead: Bool
    var isFlagged: Bool
    var isDraft: Bool
    var hasAttachments: Bool
    var code: String
    var folder: String
    var sender: String
    var recipient: String
    var subject: String
    var summary: String
    var headers: String
    var body: String
    var signature: Data
    var attachment: Data

    /// Returns whether the struct matches an entity: these attributes in this order, none of them ever null.
    static func describes(_ entity: EntitySpec) -> Bool {
        entity.attributes.map(\.name) == fields.map(\.name)
            && entity.attributes.map(\.type) == fields.map(\.place.type)
            && !entity.attributes.contains { $0.hasNulls || $0.isUnique }
    }

    @inline(__always)
    init(row: borrowing some SQLRow, of table: borrowing RecordTable) {
        key = row.int64(0)
        version = row.int64(1)
        number = row.int64(2)
        size = row.int64(3)
        thread = row.int64(4)
        priority = row.int64(5)
        replies = row.int64(6)
        views = row.int64(7)
        revision = row.int64(8)
        flags = row.int64(9)
        score = row.double(10)
        spam = row.double(11)
        latitude = row.double(12)
        longitude = row.double(13)
        sentAt = row.double(14)
        receivedAt = row.double(15)
        readAt = row.double(16)
        changedAt = row.double(17)
        isRead = row.bool(18)
        isFlagged = row.bool(19)
        isDraft = row.bool(20)
        hasAttachments = row.bool(21)
        code = row.string(22)
        folder = row.string(23)
        sender = row.string(24)
        recipient = row.string(25)
        subject = row.string(26)
        summary = row.string(27)
        headers = row.string(28)
        body = row.string(29)
        signature = Data(row.blob(30))
        attachment = Data(row.blob(31))
    }

    init(_ ordinal: Int, of records: RecordGenerator) {
        key = RecordTable.key(ordinal)
        version = 1
        number = records.int64(0, ordinal)
        size = records.int64(1, ordinal)
        thread = records.int64(2, ordinal)
        priority = records.int64(3, ordinal)
        replies = records.int64(4, ordinal)
        views = records.int64(5, ordinal)
        revision = records.int64(6, ordinal)
        flags = records.int64(7, ordinal)
        score = records.double(8, ordinal)
        spam = records.double(9, ordinal)
        latitude = records.double(10, ordinal)
        longitude = records.double(11, ordinal)
        sentAt = records.double(12, ordinal)
        receivedAt = records.double(13, ordinal)
        readAt = records.double(14, ordinal)
        changedAt = records.double(15, ordinal)
        isRead = records.bool(16, ordinal)
        isFlagged = records.bool(17, ordinal)
        isDraft = records.bool(18, ordinal)
        hasAttachments = records.bool(19, ordinal)
        code = records.string(20, ordinal)
        folder = records.string(21, ordinal)
        sender = records.string(22, ordinal)
        recipient = records.string(23, ordinal)
        subject = records.string(24, ordinal)
        summary = records.string(25, ordinal)
        headers = records.string(26, ordinal)
        body = records.string(27, ordinal)
        signature = records.data(28, ordinal)
        attachment = records.data(29, ordinal)
    }

    @inline(__always)
    func digest(into digester: inout RecordDigester) {
        digester.add(number)
        digester.add(size)
        digester.add(thread)
        digester.add(priority)
        digester.add(replies)
        digester.add(views)
        digester.add(revision)
        digester.add(flags)
        digester.add(score)
        digester.add(spam)
        digester.add(latitude)
        digester.add(longitude)
        digester.add(sentAt)
        digester.add(receivedAt)
        digester.add(readAt)
        digester.add(changedAt)
        digester.add(isRead)
        digester.add(isFlagged)
        digester.add(isDraft)
        digester.add(hasAttachments)
        digester.add(code)
        digester.add(folder)
        digester.add(sender)
        digester.add(recipient)
        digester.add(subject)
        digester.add(summary)
        digester.add(headers)
        digester.add(body)
        digester.add(signature)
        digester.add(attachment)
    }
}

// MARK: - One attribute

extension MessageRecord {
    /// The location of an attribute in the struct. Changing and writing a single attribute uses this table; beside
    /// writing a row of this width, its cost is negligible.
    private enum Place: Sendable {
        case int64(WritableKeyPath<MessageRecord, Int64> & Sendable)
        case double(WritableKeyPath<MessageRecord, Double> & Sendable)
        case date(WritableKeyPath<MessageRecord, Double> & Sendable)
        case bool(WritableKeyPath<MessageRecord, Bool> & Sendable)
        case string(WritableKeyPath<MessageRecord, String> & Sendable)
        case data(WritableKeyPath<MessageRecord, Data> & Sendable)

        var type: FieldType {
            switch self {
            case .int64: .int64
            case .double: .double
            case .date: .date
            case .bool: .bool
            case .string: .string
            case .data: .data
            }
        }
    }

    private static let fields: [(name: String, place: Place)] = [
        ("number", .int64(\.number)),
        ("size", .int64(\.size)),
        ("thread", .int64(\.thread)),
        ("priority", .int64(\.priority)),
        ("replies", .int64(\.replies)),
        ("views", .int64(\.views)),
        ("revision", .int64(\.revision)),
        ("flags", .int64(\.flags)),
        ("score", .double(\.score)),
        ("spam", .double(\.spam)),
        ("latitude", .double(\.latitude)),
        ("longitude", .double(\.longitude)),
        ("sentAt", .date(\.sentAt)),
        ("receivedAt", .date(\.receivedAt)),
        ("readAt", .date(\.readAt)),
        ("changedAt", .date(\.changedAt)),
        ("isRead", .bool(\.isRead)),
        ("isFlagged", .bool(\.isFlagged)),
        ("isDraft", .bool(\.isDraft)),
        ("hasAttachments", .bool(\.hasAttachments)),
        ("code", .string(\.code)),
        ("folder", .string(\.folder)),
        ("sender", .string(\.sender)),
        ("recipient", .string(\.recipient)),
        ("subject", .string(\.subject)),
        ("summary", .string(\.summary)),
        ("headers", .string(\.headers)),
        ("body", .string(\.body)),
        ("signature", .data(\.signature)),
        ("attachment", .data(\.attachment)),
    ]

    mutating func apply(_ change: RecordChange) throws {
        switch Self.fields[change.attribute].place {
        case .int64(let path): self[keyPath: path] = try change.applied(to: self[keyPath: path])
        case .double(let path): self[keyPath: path] = try change.applied(to: self[keyPath: path], .double)
        case .date(let path): self[keyPath: path] = try change.applied(to: self[keyPath: path], .date)
        case .bool(let path): self[keyPath: path] = try change.applied(to: self[keyPath: path])
        case .string(let path): self[keyPath: path] = try change.assignedString()
        case .data(let path): self[keyPath: path] = try change.assignedData()
        }
    }

    func append(_ attribute: Int, of table: borrowing RecordTable, to sink: inout some SQLValueSink) throws {
        switch Self.fields[attribute].place {
        case .int64(let path): try sink.append(self[keyPath: path])
        case .double(let path), .date(let path): try sink.append(self[keyPath: path])
        case .bool(let path): try sink.append(self[keyPath: path])
        case .string(let path): try sink.append(self[keyPath: path])
        case .data(let path): try sink.append(self[keyPath: path])
        }
    }

    func hasSameValue(_ attribute: Int, as other: MessageRecord) -> Bool {
        switch Self.fields[attribute].place {
        case .int64(let path): self[keyPath: path] == other[keyPath: path]
        case .double(let path), .date(let path): self[keyPath: path] == other[keyPath: path]
        case .bool(let path): self[keyPath: path] == other[keyPath: path]
        case .string(let path): self[keyPath: path].utf8.elementsEqual(other[keyPath: path].utf8)
        case .data(let path): self[keyPath: path] == other[keyPath: path]
        }
    }
}
