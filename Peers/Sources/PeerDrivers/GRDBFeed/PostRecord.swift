import BenchHarness
import Foundation
import GRDB

/// A post of the feed.
struct PostRecord: Codable {
    var id: Int64
    /// The number of the entity, the same in every row.
    var entity: Int8 = 1
    var version: Int64 = 1
    var number: Int64
    var author: String
    var text: String
    var topic: String
    var postedAt: Date
    var picture: String?
    var likes: Int64
    var isSeen: Bool

    enum CodingKeys: String, CodingKey {
        case id = "Z_PK"
        case entity = "Z_ENT"
        case version = "Z_OPT"
        case number = "ZNUMBER"
        case author = "ZAUTHOR"
        case text = "ZTEXT"
        case topic = "ZTOPIC"
        case postedAt = "ZPOSTEDAT"
        case picture = "ZPICTURE"
        case likes = "ZLIKES"
        case isSeen = "ZISSEEN"
    }
}

extension PostRecord: PropertyRecord {
    static let databaseTableName = "ZPOST"
    static let entityName = "Post"
    static let properties: [RecordProperty<PostRecord>] = [
        RecordProperty("number", \.number), RecordProperty("author", \.author), RecordProperty("text", \.text),
        RecordProperty("topic", \.topic), RecordProperty("postedAt", \.postedAt), RecordProperty("picture", \.picture),
        RecordProperty("likes", \.likes), RecordProperty("isSeen", \.isSeen),
    ]

    init(_ ordinal: Int, of records: RecordGenerator) {
        id = RecordTable.key(ordinal)
        number = records.int64(0, ordinal)
        author = records.string(1, ordinal)
        text = records.string(2, ordinal)
        topic = records.string(3, ordinal)
        postedAt = Date(timeIntervalSinceReferenceDate: records.double(4, ordinal))
        picture = records.isNull(5, ordinal) ? nil : records.string(5, ordinal)
        likes = records.int64(6, ordinal)
        isSeen = records.bool(7, ordinal)
    }

    func digestAttributes(into digester: inout RecordDigester) {
        digester.add(number)
        digester.add(author)
        digester.add(text)
        digester.add(topic)
        digester.add(postedAt.timeIntervalSinceReferenceDate)
        if let picture { digester.add(picture) } else { digester.addNull() }
        digester.add(likes)
        digester.add(isSeen)
    }
}
