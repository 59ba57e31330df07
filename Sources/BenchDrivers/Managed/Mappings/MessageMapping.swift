import BenchHarness
import Foundation
import ManagedStore

/// The message of the `wide` scenario with its typed class.
struct MessageMapping: ObjectMapping {
    let description: EntityDescription

    init(_ entity: EntitySpec) {
        description = EntityDescription(MessageObject.self, fetchIndexes: entity.attributes.fetchIndexes)
    }

    /// Returns whether the class matches an entity: its attributes in their order, none of them ever null.
    static func describes(_ entity: EntitySpec) -> Bool {
        let own = EntityDescription(MessageObject.self)
        let other = EntityDescription(name: entity.name, attributes: entity.attributes.map { ObjectField($0).key })
        return own.name == other.name && own.attributes.map(\.name) == other.attributes.map(\.name)
            && own.attributes.map(\.attributeType) == other.attributes.map(\.attributeType)
            && !entity.attributes.contains { $0.hasNulls || $0.isUnique }
    }

    func make(in context: ManagedObjectContext) -> MessageObject { MessageObject(context: context) }

    func fill(_ message: MessageObject, _ ordinal: Int, of records: RecordGenerator) {
        message.number = records.int64(0, ordinal)
        message.size = records.int64(1, ordinal)
        message.thread = records.int64(2, ordinal)
        message.priority = records.int64(3, ordinal)
        message.replies = records.int64(4, ordinal)
        message.views = records.int64(5, ordinal)
        message.revision = records.int64(6, ordinal)
        message.flags = records.int64(7, ordinal)
        message.score = records.double(8, ordinal)
        message.spam = records.double(9, ordinal)
        message.latitude = records.double(10, ordinal)
        message.longitude = records.double(11, ordinal)
        message.sentAt = Date(timeIntervalSinceReferenceDate: records.double(12, ordinal))
        message.receivedAt = Date(timeIntervalSinceReferenceDate: records.double(13, ordinal))
        message.readAt = Date(timeIntervalSinceReferenceDate: records.double(14, ordinal))
        message.changedAt = Date(timeIntervalSinceReferenceDate: records.double(15, ordinal))
        message.isRead = records.bool(16, ordinal)
        message.isFlagged = records.bool(17, ordinal)
        message.isDraft = records.bool(18, ordinal)
        message.hasAttachments = records.bool(19, ordinal)
        message.code = records.string(20, ordinal)
        message.folder = records.string(21, ordinal)
        message.sender = records.string(22, ordinal)
        message.recipient = records.string(23, ordinal)
        message.subject = records.string(24, ordinal)
        message.summary = records.string(25, ordinal)
        message.headers = records.string(26, ordinal)
        message.body = records.string(27, ordinal)
        message.signature = records.data(28, ordinal)
        message.attachment = records.data(29, ordinal)
    }

    func digest(_ message: MessageObject, into digester: inout RecordDigester) {
        digester.add(message.number)
        digester.add(message.size)
        digester.add(message.thread)
        digester.add(message.priority)
        digester.add(message.replies)
        digester.add(message.views)
        digester.add(message.revision)
        digester.add(message.flags)
        digester.add(message.score)
        digester.add(message.spam)
        digester.add(message.latitude)
        digester.add(message.longitude)
        digester.add(message.sentAt.timeIntervalSinceReferenceDate)
        digester.add(message.receivedAt.timeIntervalSinceReferenceDate)
        digester.add(message.readAt.timeIntervalSinceReferenceDate)
        digester.add(message.changedAt.timeIntervalSinceReferenceDate)
        digester.add(message.isRead)
        digester.add(message.isFlagged)
        digester.add(message.isDraft)
        digester.add(message.hasAttachments)
        digester.add(message.code)
        digester.add(message.folder)
        digester.add(message.sender)
        digester.add(message.recipient)
        digester.add(message.subject)
        digester.add(message.summary)
        digester.add(message.headers)
        digester.add(message.body)
        digester.add(message.signature)
        digester.add(message.attachment)
    }

    func change(_ changes: [AttributeChange]) throws -> @Sendable (MessageObject) -> Void {
        if changes == [AttributeChange(attribute: "isRead", operation: .assign(.bool(true)))] {
            return { $0.isRead = true }
        }
        return try ManagedChange.closure(changes, description)
    }
}
