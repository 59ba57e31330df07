import Foundation

/// A Swift type that an attribute can have: `String`, `Bool`, `Date`, `Int16`, `Int32`, `Int64`, `Int`, `Double`,
/// `Float`, `Decimal`, `Data`, `UUID`, `URL`, ``Transformable``, and optionals of these.
///
/// The underscored requirements move a value between an object's row and Swift without boxing it.
public protocol AttributeValue: Sendable {
    /// The attribute type that holds such values.
    static var attributeType: AttributeType { get }
    /// Whether nil is a value of this type.
    static var isOptional: Bool { get }
    /// The value in the form in which predicates and stores take it.
    var storedValue: StoredValue { get }
    /// Whether all values of the type take the same room in a row, and none outside it.
    static var _isOfFixedSize: Bool { get }
    /// Reads the value of `field`; a missing value reads as the type's zero.
    static func _load(_ field: RowField, of row: RowPointer, in page: RowPage) -> Self
    /// Writes the value to `field` of a row that may be changed.
    func _store(to field: RowField, of row: RowPointer, in page: RowPage)
    /// Reads the value of `field`, which is there; nil when it is none of this type.
    static func _loadIfValid(_ field: RowField, of row: RowPointer, in page: RowPage) -> Self?
    /// The value as `value(forKey:)` hands it out; throws when it is none of this type.
    static func _value(of stored: StoredValue) throws(StoreError) -> Any?
    /// Takes in what `setValue(_:forKey:)` is given and no other type knows; nil for what this one does not know
    /// either.
    static func _stored(_ any: Any) throws(StoreError) -> StoredValue?
}

extension AttributeValue {
    /// False: a plain value is never nil.
    public static var isOptional: Bool { false }
    /// False, which any type may say.
    @inlinable public static var _isOfFixedSize: Bool { false }
    /// Reads the value of `field`.
    @inlinable public static func _loadIfValid(_ field: RowField, of row: RowPointer, in page: RowPage) -> Self? {
        _load(field, of: row, in: page)
    }
    /// The value as it is.
    public static func _value(of stored: StoredValue) throws(StoreError) -> Any? { stored.any }
    /// Nil.
    public static func _stored(_ any: Any) throws(StoreError) -> StoredValue? { nil }
}

extension Bool: AttributeValue {
    /// `.boolean`
    public static var attributeType: AttributeType { .boolean }
    /// The value in the form in which predicates and stores take it.
    public var storedValue: StoredValue { .boolean(self) }
    /// True.
    @inlinable public static var _isOfFixedSize: Bool { true }
    /// Reads one bit.
    @inlinable public static func _load(_ field: RowField, of row: RowPointer, in page: RowPage) -> Bool {
        field.bool(in: row)
    }
    /// Writes one bit.
    @inlinable public func _store(to field: RowField, of row: RowPointer, in page: RowPage) {
        field.setNull(false, of: row)
        field.setBool(self, of: row)
    }
}

extension Int64: FixedWidthValue {
    /// `.integer64`
    public static var attributeType: AttributeType { .integer64 }
    /// The value in the form in which predicates and stores take it.
    public var storedValue: StoredValue { .integer64(self) }
}

extension Double: FixedWidthValue {
    /// `.double`
    public static var attributeType: AttributeType { .double }
    /// The value in the form in which predicates and stores take it.
    public var storedValue: StoredValue { .double(self) }
}

extension Date: AttributeValue {
    /// `.date`
    public static var attributeType: AttributeType { .date }
    /// The value in the form in which predicates and stores take it.
    public var storedValue: StoredValue { .date(timeIntervalSinceReferenceDate) }
    /// True.
    @inlinable public static var _isOfFixedSize: Bool { true }
    /// Reads seconds since 2001-01-01 UTC.
    @inlinable public static func _load(_ field: RowField, of row: RowPointer, in page: RowPage) -> Date {
        Date(timeIntervalSinceReferenceDate: Double._load(field, of: row, in: page))
    }
    /// Writes seconds since 2001-01-01 UTC.
    @inlinable public func _store(to field: RowField, of row: RowPointer, in page: RowPage) {
        timeIntervalSinceReferenceDate._store(to: field, of: row, in: page)
    }
}

extension String: AttributeValue {
    /// `.string`
    public static var attributeType: AttributeType { .string }
    /// The value in the form in which predicates and stores take it.
    public var storedValue: StoredValue { .string(self) }
    /// Makes a string from the bytes in the page; bytes that are no UTF-8 are repaired.
    @inlinable public static func _load(_ field: RowField, of row: RowPointer, in page: RowPage) -> String {
        let bytes = page.bytes(of: field, of: row)
        guard bytes.count <= 15 else { return String(decoding: bytes, as: UTF8.self) }
        // What fits into the string itself is checked in a register there, and repaired like the rest.
        return String(unsafeUninitializedCapacity: bytes.count) { string in
            UnsafeMutableRawBufferPointer(string).copyMemory(from: bytes)
            return bytes.count
        }
    }
    /// Copies the string's UTF-8 bytes into the page.
    @inlinable public func _store(to field: RowField, of row: RowPointer, in page: RowPage) {
        var value = self
        value.withUTF8 { page.setBytes(UnsafeRawBufferPointer($0), of: field, of: row) }
    }
}

extension Data: AttributeValue {
    /// `.binaryData`
    public static var attributeType: AttributeType { .binaryData }
    /// The value in the form in which predicates and stores take it.
    public var storedValue: StoredValue { .binaryData(self) }
    /// Copies the bytes out of the page.
    public static func _load(_ field: RowField, of row: RowPointer, in page: RowPage) -> Data {
        Data(page.bytes(of: field, of: row))
    }
    /// Copies the bytes into the page.
    public func _store(to field: RowField, of row: RowPointer, in page: RowPage) {
        withUnsafeBytes { page.setBytes($0, of: field, of: row) }
    }
}

extension Optional: AttributeValue where Wrapped: AttributeValue {
    /// The type of the wrapped value.
    public static var attributeType: AttributeType { Wrapped.attributeType }
    /// True.
    public static var isOptional: Bool { true }
    /// The value in the form in which predicates and stores take it.
    public var storedValue: StoredValue { self?.storedValue ?? .null }
    /// As for the wrapped type.
    @inlinable public static var _isOfFixedSize: Bool { Wrapped._isOfFixedSize }
    /// Reads nil or the wrapped value; what is none of the wrapped type reads as nil.
    @inlinable public static func _load(_ field: RowField, of row: RowPointer, in page: RowPage) -> Wrapped? {
        field.isNull(in: row) ? nil : Wrapped._loadIfValid(field, of: row, in: page)
    }
    /// The wrapped type's form of the value.
    public static func _value(of stored: StoredValue) throws(StoreError) -> Any? { try Wrapped._value(of: stored) }
    /// The wrapped type's form of the value.
    public static func _stored(_ any: Any) throws(StoreError) -> StoredValue? { try Wrapped._stored(any) }
    /// Writes nil or the wrapped value.
    @inlinable public func _store(to field: RowField, of row: RowPointer, in page: RowPage) {
        if let value = self {
            value._store(to: field, of: row, in: page)
        } else {
            page.setNull(field, of: row)
        }
    }
}
