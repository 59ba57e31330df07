import Foundation
import ManagedStore

/// The message of the `wide` scenario, declared as an application would declare it.
final class Message: ManagedObject {
    static let number = Attribute("number", \Message.number)
    static let size = Attribute("size", \Message.size)
    static let thread = Attribute("thread", \Message.thread)
    static let priority = Attribute("priority", \Message.priority)
    static let replies = Attribute("replies", \Message.replies)
    static let views = Attribute("views", \Message.views)
    static let revision = Attribute("revision", \Message.revision)
    static let flags = Attribute("flags", \Message.flags)
    static let score = Attribute("score", \Message.score)
    static let spam = Attribute("spam", \Message.spam)
    static let latitude = Attribute("latitude", \Message.latitude)
    static let longitude = Attribute("longitude", \Message.longitude)
    static let sentAt = Attribute("sentAt", \Message.sentAt)
    static let receivedAt = Attribute("receivedAt", \Message.receivedAt)
    static let readAt = Attribute("readAt", \Message.readAt)
    static let changedAt = Attribute("changedAt", \Message.changedAt)
    static let isRead = Attribute("isRead", \Message.isRead)
    static let isFlagged = Attribute("isFlagged", \Message.isFlagged)
    static let isDraft = Attribute("isDraft", \Message.isDraft)
    static let hasAttachments = Attribute("hasAttachments", \Message.hasAttachments)
    static let code = Attribute("code", \Message.code)
    static let folder = Attribute("folder", \Message.folder)
    static let sender = Attribute("sender", \Message.sender)
    static let recipient = Attribute("recipient", \Message.recipient)
    static let subject = Attribute("subject", \Message.subject)
    static let summary = Attribute("summary", \Message.summary)
    static let headers = Attribute("headers", \Message.headers)
    static let body = Attribute("body", \Message.body)
    static let signature = Attribute("signature", \Message.signature)
    static let attachment = Attribute("attachment", \Message.attachment)

    override class var attributes: [any AttributeKey] {
        [
            number, size, thread, priority, replies, views, revision, flags, score, spam, latitude, longitude,
            sentAt, receivedAt, readAt, changedAt, isRead, isFlagged, isDraft, hasAttachments, code, folder,
            sender, recipient, subject, summary, headers, body, signature, attachment,
        ]
    }

    var number: Int64 {
        get { self[Message.number] }
        set { self[Message.number] = newValue }
    }
    var size: Int64 {
        get { self[Message.size] }
        set { self[Message.size] = newValue }
    }
    var thread: Int64 {
        get { self[Message.thread] }
        set { self[Message.thread] = newValue }
    }
    var priority: Int64 {
        get { self[Message.priority] }
        set { self[Message.priority] = newValue }
    }
    var replies: Int64 {
        get { self[Message.replies] }
        set { self[Message.replies] = newValue }
    }
    var views: Int64 {
        get { self[Message.views] }
        set { self[Message.views] = newValue }
    }
    var revision: Int64 {
        get { self[Message.revision] }
        set { self[Message.revision] = newValue }
    }
    var flags: Int64 {
        get { self[Message.flags] }
        set { self[Message.flags] = newValue }
    }
    var score: Double {
        get { self[Message.score] }
        set { self[Message.score] = newValue }
    }
    var spam: Double {
        get { self[Message.spam] }
        set { self[Message.spam] = newValue }
    }
    var latitude: Double {
        get { self[Message.latitude] }
        set { self[Message.latitude] = newValue }
    }
    var longitude: Double {
        get { self[Message.longitude] }
        set { self[Message.longitude] = newValue }
    }
    var sentAt: Date {
        get { self[Message.sentAt] }
        set { self[Message.sentAt] = newValue }
    }
    var receivedAt: Date {
        get { self[Message.receivedAt] }
        set { self[Message.receivedAt] = newValue }
    }
    var readAt: Date {
        get { self[Message.readAt] }
        set { self[Message.readAt] = newValue }
    }
    var changedAt: Date {
        get { self[Message.changedAt] }
        set { self[Message.changedAt] = newValue }
    }
    var isRead: Bool {
        get { self[Message.isRead] }
        set { self[Message.isRead] = newValue }
    }
    var isFlagged: Bool {
        get { self[Message.isFlagged] }
        set { self[Message.isFlagged] = newValue }
    }
    var isDraft: Bool {
        get { self[Message.isDraft] }
        set { self[Message.isDraft] = newValue }
    }
    var hasAttachments: Bool {
        get { self[Message.hasAttachments] }
        set { self[Message.hasAttachments] = newValue }
    }
    var code: String {
        get { self[Message.code] }
        set { self[Message.code] = newValue }
    }
    var folder: String {
        get { self[Message.folder] }
        set { self[Message.folder] = newValue }
    }
    var sender: String {
        get { self[Message.sender] }
        set { self[Message.sender] = newValue }
    }
    var recipient: String {
        get { self[Message.recipient] }
        set { self[Message.recipient] = newValue }
    }
    var subject: String {
        get { self[Message.subject] }
        set { self[Message.subject] = newValue }
    }
    var summary: String {
        get { self[Message.summary] }
        set { self[Message.summary] = newValue }
    }
    var headers: String {
        get { self[Message.headers] }
        set { self[Message.headers] = newValue }
    }
    var body: String {
        get { self[Message.body] }
        set { self[Message.body] = newValue }
    }
    var signature: Data {
        get { self[Message.signature] }
        set { self[Message.signature] = newValue }
    }
    var attachment: Data {
        get { self[Message.attachment] }
        set { self[Message.attachment] = newValue }
    }
}
