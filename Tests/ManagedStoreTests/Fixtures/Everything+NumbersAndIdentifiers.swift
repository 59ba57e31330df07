import Foundation
import ManagedStore

/// What the transformable attributes hold.
struct Shape: Codable, Hashable {
    var name: String
    var sides: [Double]
}

extension Everything {
    static let small = Attribute("small", \Everything.small, default: 1)
    static let medium = Attribute("medium", \Everything.medium, default: 2)
    static let count = Attribute("count", \Everything.count, default: 3)
    static let single = Attribute("single", \Everything.single, default: 0.1)
    static let amount = Attribute("amount", \Everything.amount, default: Decimal(string: "9.99"))
    static let identifier = Attribute("identifier", \Everything.identifier, default: UUID(uuidString: someUUID))
    static let link = Attribute("link", \Everything.link, default: URL(string: "https://example.com/a"))
    static let shape = Attribute("shape", \Everything.shape, default: try? Transformable(Shape(name: "dot", sides: [])))
    static let optionalSmall = Attribute("optionalSmall", \Everything.optionalSmall)
    static let optionalMedium = Attribute("optionalMedium", \Everything.optionalMedium)
    static let optionalCount = Attribute("optionalCount", \Everything.optionalCount)
    static let optionalSingle = Attribute("optionalSingle", \Everything.optionalSingle)
    static let optionalAmount = Attribute("optionalAmount", \Everything.optionalAmount)
    static let optionalIdentifier = Attribute("optionalIdentifier", \Everything.optionalIdentifier)
    static let optionalLink = Attribute("optionalLink", \Everything.optionalLink)
    static let optionalShape = Attribute("optionalShape", \Everything.optionalShape)
    static let someUUID = "12345678-90AB-CDEF-FEDC-BA0987654321"

    static var numbersAndIdentifiers: [any AttributeKey] {
        [
            small, medium, count, single, amount, identifier, link, shape,
            optionalSmall, optionalMedium, optionalCount, optionalSingle, optionalAmount, optionalIdentifier,
            optionalLink, optionalShape,
        ]
    }

    var small: Int16 {
        get { self[Everything.small] }
        set { self[Everything.small] = newValue }
    }
    var optionalSmall: Int16? {
        get { self[Everything.optionalSmall] }
        set { self[Everything.optionalSmall] = newValue }
    }
    var medium: Int32 {
        get { self[Everything.medium] }
        set { self[Everything.medium] = newValue }
    }
    var optionalMedium: Int32? {
        get { self[Everything.optionalMedium] }
        set { self[Everything.optionalMedium] = newValue }
    }
    var count: Int {
        get { self[Everything.count] }
        set { self[Everything.count] = newValue }
    }
    var optionalCount: Int? {
        get { self[Everything.optionalCount] }
        set { self[Everything.optionalCount] = newValue }
    }
    var single: Float {
        get { self[Everything.single] }
        set { self[Everything.single] = newValue }
    }
    var optionalSingle: Float? {
        get { self[Everything.optionalSingle] }
        set { self[Everything.optionalSingle] = newValue }
    }
    var amount: Decimal {
        get { self[Everything.amount] }
        set { self[Everything.amount] = newValue }
    }
    var optionalAmount: Decimal? {
        get { self[Everything.optionalAmount] }
        set { self[Everything.optionalAmount] = newValue }
    }
    var identifier: UUID {
        get { self[Everything.identifier] }
        set { self[Everything.identifier] = newValue }
    }
    var optionalIdentifier: UUID? {
        get { self[Everything.optionalIdentifier] }
        set { self[Everything.optionalIdentifier] = newValue }
    }
    var link: URL {
        get { self[Everything.link] }
        set { self[Everything.link] = newValue }
    }
    var optionalLink: URL? {
        get { self[Everything.optionalLink] }
        set { self[Everything.optionalLink] = newValue }
    }
    var shape: Transformable<Shape> {
        get { self[Everything.shape] }
        set { self[Everything.shape] = newValue }
    }
    var optionalShape: Transformable<Shape>? {
        get { self[Everything.optionalShape] }
        set { self[Everything.optionalShape] = newValue }
    }
}
