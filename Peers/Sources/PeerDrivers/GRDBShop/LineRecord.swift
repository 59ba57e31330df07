import BenchHarness
import GRDB

/// A line of an order, with a product.
struct LineRecord: Codable {
    var id: Int64
    /// The number of the entity, the same in every row.
    var entity: Int8 = 2
    var version: Int64 = 1
    var number: Int64
    var quantity: Int64
    var price: Double
    var orderID: Int64
    /// The place among the lines of the order.
    var place: Int64
    var productID: Int64

    enum CodingKeys: String, CodingKey {
        case id = "Z_PK"
        case entity = "Z_ENT"
        case version = "Z_OPT"
        case number = "ZNUMBER"
        case quantity = "ZQUANTITY"
        case price = "ZPRICE"
        case orderID = "ZORDER"
        case place = "Z_FOK_ORDER"
        case productID = "ZPRODUCT"
    }

    static let place = Column(CodingKeys.place)
    static let order = belongsTo(OrderRecord.self)
    static let product = belongsTo(ProductRecord.self)
}

extension LineRecord: PropertyRecord {
    static let databaseTableName = "ZLINE"
    static let entityName = "Line"
    static let properties: [RecordProperty<LineRecord>] = [
        RecordProperty("number", \.number), RecordProperty("quantity", \.quantity), RecordProperty("price", \.price),
        RecordProperty("order", \.orderID), RecordProperty("product", \.productID),
    ]
    static let relationships: [String: FollowedAssociation<LineRecord>] = [
        "order": FollowedAssociation(one: order), "product": FollowedAssociation(one: product),
    ]

    /// New lines come last: keys ascend.
    init(_ ordinal: Int, of records: RecordGenerator) {
        id = RecordTable.key(ordinal)
        number = records.int64(0, ordinal)
        quantity = records.int64(1, ordinal)
        price = records.double(2, ordinal)
        orderID = records.int64(3, ordinal)
        place = id
        productID = records.int64(4, ordinal)
    }

    var numbers: [Int64] { [orderID, productID] }

    func digestAttributes(into digester: inout RecordDigester) {
        digester.add(number)
        digester.add(quantity)
        digester.add(price)
    }
}
