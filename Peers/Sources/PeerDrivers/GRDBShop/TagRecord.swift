import BenchHarness
import GRDB

/// A tag of products.
struct TagRecord: Codable {
    var id: Int64
    /// The number of the entity, the same in every row.
    var entity: Int8 = 5
    var version: Int64 = 1
    var name: String

    enum CodingKeys: String, CodingKey {
        case id = "Z_PK"
        case entity = "Z_ENT"
        case version = "Z_OPT"
        case name = "ZNAME"
    }

    static let products = hasMany(ProductRecord.self, through: hasMany(ProductTag.self), using: ProductTag.product)
}

extension TagRecord: PropertyRecord {
    static let databaseTableName = "ZTAG"
    static let entityName = "Tag"
    static let properties: [RecordProperty<TagRecord>] = [RecordProperty("name", \.name)]
    static let relationships: [String: FollowedAssociation<TagRecord>] = [
        "products": FollowedAssociation(many: products)
    ]

    init(_ ordinal: Int, of records: RecordGenerator) {
        id = RecordTable.key(ordinal)
        name = records.string(0, ordinal)
    }

    func digestAttributes(into digester: inout RecordDigester) { digester.add(name) }
}
