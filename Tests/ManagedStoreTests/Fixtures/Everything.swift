import Foundation
import ManagedStore

/// All types, each required, optional and with a default; those of the narrower numbers and of identifiers stand in an
/// extension.
final class Everything: ManagedObject {
    static let text = Attribute("text", \Everything.text)
    static let flag = Attribute("flag", \Everything.flag)
    static let moment = Attribute("moment", \Everything.moment)
    static let number = Attribute("number", \Everything.number)
    static let real = Attribute("real", \Everything.real)
    static let bytes = Attribute("bytes", \Everything.bytes)
    static let optionalText = Attribute("optionalText", \Everything.optionalText)
    static let optionalFlag = Attribute("optionalFlag", \Everything.optionalFlag)
    static let optionalMoment = Attribute("optionalMoment", \Everything.optionalMoment)
    static let optionalNumber = Attribute("optionalNumber", \Everything.optionalNumber)
    static let optionalReal = Attribute("optionalReal", \Everything.optionalReal)
    static let optionalBytes = Attribute("optionalBytes", \Everything.optionalBytes)
    static let defaultText = Attribute("defaultText", \Everything.defaultText, default: "none")
    static let defaultFlag = Attribute("defaultFlag", \Everything.defaultFlag, default: true)
    static let defaultMoment = Attribute("defaultMoment", \Everything.defaultMoment, default: Everything.defaultDate)
    static let defaultNumber = Attribute("defaultNumber", \Everything.defaultNumber, default: -7)
    static let defaultReal = Attribute("defaultReal", \Everything.defaultReal, default: 2.5)
    static let defaultBytes = Attribute("defaultBytes", \Everything.defaultBytes, default: Data([1, 0, 255]))
    static let defaultDate = Date(timeIntervalSinceReferenceDate: 86_400)

    override class var attributes: [any AttributeKey] {
        [
            text, flag, moment, number, real, bytes,
            optionalText, optionalFlag, optionalMoment, optionalNumber, optionalReal, optionalBytes,
            defaultText, defaultFlag, defaultMoment, defaultNumber, defaultReal, defaultBytes,
        ] + numbersAndIdentifiers
    }

    var text: String {
        get { self[Everything.text] }
        set { self[Everything.text] = newValue }
    }
    var flag: Bool {
        get { self[Everything.flag] }
        set { self[Everything.flag] = newValue }
    }
    var moment: Date {
        get { self[Everything.moment] }
        set { self[Everything.moment] = newValue }
    }
    var number: Int64 {
        get { self[Everything.number] }
        set { self[Everything.number] = newValue }
    }
    var real: Double {
        get { self[Everything.real] }
        set { self[Everything.real] = newValue }
    }
    var bytes: Data {
        get { self[Everything.bytes] }
        set { self[Everything.bytes] = newValue }
    }
    var optionalText: String? {
        get { self[Everything.optionalText] }
        set { self[Everything.optionalText] = newValue }
    }
    var optionalFlag: Bool? {
        get { self[Everything.optionalFlag] }
        set { self[Everything.optionalFlag] = newValue }
    }
    var optionalMoment: Date? {
        get { self[Everything.optionalMoment] }
        set { self[Everything.optionalMoment] = newValue }
    }
    var optionalNumber: Int64? {
        get { self[Everything.optionalNumber] }
        set { self[Everything.optionalNumber] = newValue }
    }
    var optionalReal: Double? {
        get { self[Everything.optionalReal] }
        set { self[Everything.optionalReal] = newValue }
    }
    var optionalBytes: Data? {
        get { self[Everything.optionalBytes] }
        set { self[Everything.optionalBytes] = newValue }
    }
    var defaultText: String { self[Everything.defaultText] }
    var defaultFlag: Bool { self[Everything.defaultFlag] }
    var defaultMoment: Date { self[Everything.defaultMoment] }
    var defaultNumber: Int64 { self[Everything.defaultNumber] }
    var defaultReal: Double { self[Everything.defaultReal] }
    var defaultBytes: Data { self[Everything.defaultBytes] }
}

extension Everything {
    /// A valid new object with all required values, and no optional ones.
    @discardableResult
    convenience init(_ text: String, _ number: Int64 = 0, in context: ManagedObjectContext) {
        self.init(context: context)
        self.text = text
        self.number = number
        flag = false
        moment = Date(timeIntervalSinceReferenceDate: 0)
        real = 0
        bytes = Data()
    }
}
