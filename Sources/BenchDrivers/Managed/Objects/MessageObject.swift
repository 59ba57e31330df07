import Foundation
import ManagedStore

/// The message of the `wide` scenario, declared as an application would declare it.
final class MessageObject: ManagedObject {
    static let number = Attribute("number", \MessageObject.number)
    static let size = Attribute("size", \MessageObject.size)
    static let thread = Attribute("thread", \MessageObject.thread)
    static let priority = Attribute("priority", \MessageObject.priority)
    static let replies = Attribute("replies", \MessageObject.replies)
    static let views = Attribute("views", \MessageObject.views)
    static let revision = Attribute("revision", \MessageObject.revision)
    static let flags = Attribute("flags", \MessageObject.flags)
    static let score = Attribute("score", \MessageObject.score)
    static let spam = Attribute("spam", \MessageObject.spam)
    static let latitude = Attribute("latitude", \MessageObject.latitude)
    static let longitude = Attribute("longitude", \MessageObject.longitude)
    static let sentAt = Attribute("sentAt", \MessageObject.sentAt)
    static let receivedAt = Attribute("receivedAt", \MessageObject.receivedAt)
    static let readAt = Attribute("readAt", \MessageObject.readAt)
    static let changedAt = Attribute("changedAt", \MessageObject.changedAt)
    static let isRead = Attribute("isRead", \MessageObject.isRead)
    static let isFlagged = Attribute("isFlagged", \MessageObject.isFlagged)
    static let isDraft = Attribute("isDraft", \MessageObject.isDraft)
    static let hasAttachments = Attribute("hasAttachments", \MessageObject.hasAttachments)
    static let code = Attribute("code", \MessageObject.code)
    static let folder = Attribute("folder", \MessageObject.folder)
    static let sender = Attribute("sender", \MessageObject.sender)
    static let recipient = Attribute("recipient", \MessageObject.recipient)
    static let subject = Attribute("subject", \MessageObject.subject)
    static let summary = Attribute("summary", \MessageObject.summary)
    static let headers = Attribute("headers", \MessageObject.headers)
    static let body = Attribute("body", \MessageObject.body)
    static let signature = Attribute("signature", \MessageObject.signature)
    static let attachment = Attribute("attachment", \MessageObject.attachment)

    override class var entityName: String { "Message" }
    override class var attributes: [any AttributeKey] {
        [
            number, size, thread, priority, replies, views, revision, flags, score, spam, latitude, longitude,
            sentAt, receivedAt, readAt, changedAt, isRead, isFlagged, isDraft, hasAttachments, code, folder,
            sender, recipient, subject, summary, headers, body, signature, attachment,
        ]
    }

    var number: Int64 {
        get { self[MessageObject.number] }
        set { self[MessageObject.number] = newValue }
    }
    var size: Int64 {
        get { self[MessageObject.size] }
        set { self[MessageObject.size] = newValue }
    }
    var thread: Int64 {
        get { self[MessageObject.thread] }
        set { self[MessageObject.thread] = newValue }
    }
    var priority: Int64 {
        get { self[MessageObject.priority] }
        set { self[MessageObject.priority] = newValue }
    }
    var replies: Int64 {
        get { self[MessageObject.replies] }
        set { self[MessageObject.replies] = newValue }
    }
    var views: Int64 {
        get { self[MessageObject.views] }
        set { self[MessageObject.views] = newValue }
    }
    var revision: Int64 {
        get { self[MessageObject.revision] }
        set { self[MessageObject.revision] = newValue }
    }
    var flags: Int64 {
        get { self[MessageObject.flags] }
        set { self[MessageObject.flags] = newValue }
    }
    var score: Double {
        get { self[MessageObject.score] }
        set { self[MessageObject.score] = newValue }
    }
    var spam: Double {
        get { self[MessageObject.spam] }
        set { self[MessageObject.spam] = newValue }
    }
    var latitude: Double {
        get { self[MessageObject.latitude] }
        set { self[MessageObject.latitude] = newValue }
    }
    var longitude: Double {
        get { self[MessageObject.longitude] }
        set { self[MessageObject.longitude] = newValue }
    }
    var sentAt: Date {
        get { self[MessageObject.sentAt] }
        set { self[MessageObject.sentAt] = newValue }
    }
    var receivedAt: Date {
        get { self[MessageObject.receivedAt] }
        set { self[MessageObject.receivedAt] = newValue }
    }
    var readAt: Date {
        get { self[MessageObject.readAt] }
        set { self[MessageObject.readAt] = newValue }
    }
    var changedAt: Date {
        get { self[MessageObject.changedAt] }
        set { self[MessageObject.changedAt] = newValue }
    }
    var isRead: Bool {
        get { self[MessageObject.isRead] }
        set { self[MessageObject.isRead] = newValue }
    }
    var isFlagged: Bool {
        get { self[MessageObject.isFlagged] }
        set { self[MessageObject.isFlagged] = newValue }
    }
    var isDraft: Bool {
        get { self[MessageObject.isDraft] }
        set { self[MessageObject.isDraft] = newValue }
    }
    var hasAttachments: Bool {
        get { self[MessageObject.hasAttachments] }
        set { self[MessageObject.hasAttachments] = newValue }
    }
    var code: String {
        get { self[MessageObject.code] }
        set { self[MessageObject.code] = newValue }
    }
    var folder: String {
        get { self[MessageObject.folder] }
        set { self[MessageObject.folder] = newValue }
    }
    var sender: String {
        get { self[MessageObject.sender] }
        set { self[MessageObject.sender] = newValue }
    }
    var recipient: String {
        get { self[MessageObject.recipient] }
        set { self[MessageObject.recipient] = newValue }
    }
    var subject: String {
        get { self[MessageObject.subject] }
        set { self[MessageObject.subject] = newValue }
    }
    var summary: String {
        get { self[MessageObject.summary] }
        set { self[MessageObject.summary] = newValue }
    }
    var headers: String {
        get { self[MessageObject.headers] }
        set { self[MessageObject.headers] = newValue }
    }
    var body: String {
        get { self[MessageObject.body] }
        set { self[MessageObject.body] = newValue }
    }
    var signature: Data {
        get { self[MessageObject.signature] }
        set { self[MessageObject.signature] = newValue }
    }
    var attachment: Data {
        get { self[MessageObject.attachment] }
        set { self[MessageObject.attachment] = newValue }
    }
}
