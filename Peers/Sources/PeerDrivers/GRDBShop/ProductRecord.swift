import BenchHarness
import GRDB

/// A product, with tags.
struct ProductRecord: Codable {
    var id: Int64
    /// The number of the entity, the same in every row.
    var entity: Int8 = 4
    var version: Int64 = 1
    var name: String
    var description: String
    var price: Double
    var stock: Int64

    enum CodingKeys: String, CodingKey {
        case id = "Z_PK"
        case entity = "Z_ENT"
        case version = "Z_OPT"
        case name = "ZNAME"
        case description = "ZDESCRIPTION"
        case price = "ZPRICE"
        case stock = "ZSTOCK"
    }

    static let sales = hasMany(LineRecord.self)
    static let pairs = hasMany(ProductTag.self)
    static let tags = hasMany(TagRecord.self, through: pairs, using: ProductTag.tag)
}

extension ProductRecord: PropertyRecord {
    static let databaseTableName = "ZPRODUCT"
    static let entityName = "Product"
    static let properties: [RecordProperty<ProductRecord>] = [
        RecordProperty("name", \.name), RecordProperty("description", \.description), RecordProperty("price", \.price),
        RecordProperty("stock", \.stock),
    ]
    static let relationships: [String: FollowedAssociation<ProductRecord>] = [
        "sales": FollowedAssociation(many: sales), "tags": FollowedAssociation(many: tags),
    ]

    init(_ ordinal: Int, of records: RecordGenerator) {
        id = RecordTable.key(ordinal)
        name = records.string(0, ordinal)
        description = records.string(1, ordinal)
        price = records.double(2, ordinal)
        stock = records.int64(3, ordinal)
    }

    func insertWithPairs(_ ordinal: Int, of records: RecordGenerator, in db: Database) throws {
        try insert(db)
        for number in records.links(0, ordinal) { try ProductTag(productID: id, tagID: number).insert(db) }
    }

    func digestAttributes(into digester: inout RecordDigester) {
        digester.add(name)
        digester.add(description)
        digester.add(price)
        digester.add(stock)
    }
}

/// A product and one of its tags.
struct ProductTag: Codable, FetchableRecord, PersistableRecord {
    static let databaseTableName = "Z_4TAGS"

    var productID: Int64
    var tagID: Int64

    enum CodingKeys: String, CodingKey {
        case productID = "Z_4PRODUCTS"
        case tagID = "Z_5TAGS"
    }

    static let product = belongsTo(ProductRecord.self)
    static let tag = belongsTo(TagRecord.self)
}
