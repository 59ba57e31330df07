import Foundation
import ManagedStore

/// An asset with an attribute of every type, required with a default and optional.
class Book: Asset {
    static let text = Attribute<String>("text", default: "text")
    static let flag = Attribute<Bool>("flag", default: false)
    static let moment = Attribute<Date>("moment", default: Date(timeIntervalSinceReferenceDate: 0))
    static let small = Attribute<Int16>("small", default: 1)
    static let medium = Attribute<Int32>("medium", default: 2)
    static let large = Attribute<Int64>("large", default: 3, minValue: -1_000_000)
    static let real = Attribute<Double>("real", default: 0.5)
    static let single = Attribute<Float>("single", default: 0.25)
    static let amount = Attribute<Decimal>("amount", default: 9.99)
    static let bytes = Attribute<Data>("bytes", default: Data([1, 2]))
    static let identifier = Attribute<UUID>(
        "identifier", default: UUID(uuid: (1, 2, 3, 4, 5, 6, 7, 8, 9, 0, 1, 2, 3, 4, 5, 6)))
    static let link = Attribute<URL>("link", default: URL(string: "https://example.com"))
    static let shape = Attribute<Transformable<[String]>>("shape", default: try? Transformable(["a"]))

    static let optionalText = Attribute<String?>("optionalText", pattern: "[a-z ]*")
    static let optionalFlag = Attribute<Bool?>("optionalFlag")
    static let optionalMoment = Attribute<Date?>("optionalMoment")
    static let optionalSmall = Attribute<Int16?>("optionalSmall")
    static let optionalMedium = Attribute<Int32?>("optionalMedium")
    static let optionalLarge = Attribute<Int64?>("optionalLarge")
    static let optionalReal = Attribute<Double?>("optionalReal")
    static let optionalSingle = Attribute<Float?>("optionalSingle")
    static let optionalAmount = Attribute<Decimal?>("optionalAmount")
    static let optionalBytes = Attribute<Data?>("optionalBytes")
    static let optionalIdentifier = Attribute<UUID?>("optionalIdentifier")
    static let optionalLink = Attribute<URL?>("optionalLink")
    static let optionalShape = Attribute<Transformable<[String]>?>("optionalShape")

    static let cover = Relationship("cover", \Book.cover, inverse: "book", deleteRule: .cascade)
    override class var attributes: [any AttributeKey] {
        [
            text, flag, moment, small, medium, large, real, single, amount, bytes, identifier, link, shape,
            optionalText, optionalFlag, optionalMoment, optionalSmall, optionalMedium, optionalLarge, optionalReal,
            optionalSingle, optionalAmount, optionalBytes, optionalIdentifier, optionalLink, optionalShape,
        ]
    }
    override class var relationships: [any RelationshipKey] { [cover] }

    var cover: Cover? {
        get { self[Book.cover] }
        set { self[Book.cover] = newValue }
    }

    override func readAttributes() {
        super.readAttributes()
        read(
            Book.text, Book.flag, Book.moment, Book.small, Book.medium, Book.large, Book.real, Book.single, Book.amount,
            Book.bytes, Book.identifier, Book.link, Book.shape)
        read(
            Book.optionalText, Book.optionalFlag, Book.optionalMoment, Book.optionalSmall, Book.optionalMedium,
            Book.optionalLarge, Book.optionalReal, Book.optionalSingle, Book.optionalAmount, Book.optionalBytes,
            Book.optionalIdentifier, Book.optionalLink, Book.optionalShape)
        _ = self[Book.shape].value
    }

    /// Gives every attribute a value of its own.
    func change(_ number: Int) {
        self[Book.text] = "text \(number)"
        self[Book.flag].toggle()
        self[Book.moment] = Date(timeIntervalSinceReferenceDate: Double(number))
        self[Book.small] = Int16(truncatingIfNeeded: number)
        self[Book.medium] = Int32(truncatingIfNeeded: number)
        self[Book.large] = Int64(number)
        self[Book.real] = Double(number) / 3
        self[Book.single] = Float(number) / 3
        self[Book.amount] = Decimal(number)
        self[Book.bytes] = Data(repeating: UInt8(truncatingIfNeeded: number), count: number % 50)
        self[Book.identifier] = UUID(
            uuid: (9, 2, 3, 4, 5, 6, 7, 8, 9, 0, 1, 2, 3, 4, 5, UInt8(truncatingIfNeeded: number)))
        self[Book.optionalText] = number % 3 == 0 ? nil : "optional"
        self[Book.optionalMoment] = number % 3 == 1 ? nil : Date(timeIntervalSinceReferenceDate: 1)
        self[Book.optionalAmount] = Decimal(number) / 8
        self[Book.optionalShape] = try? Transformable(["\(number)"])
    }
}
