import Foundation
import ManagedStore

/// An entity that expects something of every value.
final class Account: ManagedObject {
    static let name = Attribute("name", \Account.name, minLength: 2, maxLength: 5)
    static let code = Attribute("code", \Account.code, pattern: "a|ab+")
    static let level = Attribute("level", \Account.level, minValue: 1, maxValue: 10)
    static let ratio = Attribute("ratio", \Account.ratio, minValue: -0.5, maxValue: 0.5)
    static let single = Attribute("single", \Account.single, maxValue: 2)
    static let price = Attribute("price", \Account.price, minValue: 0, maxValue: Decimal(string: "99.95"))
    static let opened = Attribute("opened", \Account.opened, minValue: Account.first, maxValue: Account.last)
    static let first = Date(timeIntervalSinceReferenceDate: 0)
    static let last = Date(timeIntervalSinceReferenceDate: 1_000)
    override class var attributes: [any AttributeKey] { [name, code, level, ratio, single, price, opened] }

    var name: String? {
        get { self[Account.name] }
        set { self[Account.name] = newValue }
    }
    var code: String? {
        get { self[Account.code] }
        set { self[Account.code] = newValue }
    }
    var level: Int16? {
        get { self[Account.level] }
        set { self[Account.level] = newValue }
    }
    var ratio: Double? {
        get { self[Account.ratio] }
        set { self[Account.ratio] = newValue }
    }
    var single: Float? {
        get { self[Account.single] }
        set { self[Account.single] = newValue }
    }
    var price: Decimal? {
        get { self[Account.price] }
        set { self[Account.price] = newValue }
    }
    var opened: Date? {
        get { self[Account.opened] }
        set { self[Account.opened] = newValue }
    }
}

/// A class with a mind of its own.
final class Strict: ManagedObject {
    static let name = Attribute("name", \Strict.name, default: "", maxLength: 10)
    static let isLocked = Attribute("isLocked", \Strict.isLocked, default: false)
    static let saves = Attribute("saves", \Strict.saves, default: 0)
    override class var attributes: [any AttributeKey] { [name, isLocked, saves] }
    override class var validatesValues: Bool { true }

    var name: String {
        get { self[Strict.name] }
        set { self[Strict.name] = newValue }
    }
    var isLocked: Bool {
        get { self[Strict.isLocked] }
        set { self[Strict.isLocked] = newValue }
    }
    var saves: Int {
        get { self[Strict.saves] }
        set { self[Strict.saves] = newValue }
    }

    override func validateForInsert() throws(StoreError) {
        saves = 1
        try super.validateForInsert()
    }

    override func validateForUpdate() throws(StoreError) {
        try super.validateForUpdate()
        if isLocked { throw StoreError.validation("it is locked", object: self, key: "isLocked") }
    }

    override func validateForDelete() throws(StoreError) {
        if isLocked { throw StoreError.validation("it is locked", object: self) }
    }

    override func validateValue(_ value: StoredValue, forKey key: String) throws(StoreError) {
        try super.validateValue(value, forKey: key)
        if key == "name", value == .string("forbidden") {
            throw StoreError.validation("choose another name", object: self, key: key)
        }
    }
}
