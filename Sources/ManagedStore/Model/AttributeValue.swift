import Foundation

/// The Swift type of an attribute: `String`, `Bool`, `Date`, `Int16`, `Int32`, `Int64`, `Int`, `Double`, `Float`,
/// `Decimal`, `Data`, `UUID`, `URL`, ``Transformable``, or an optional of one of these.
///
/// The underscored requirements move a value between an object's row and Swift without boxing it.
public protocol AttributeValue: Sendable {
    /// The attribute type for values of this type.
    static var attributeType: AttributeType { get }
    /// Whether nil is a value of this type.
    static var isOptional: Bool { get }
    /// The value as predicates and stores use it.
    var storedValue: StoredValue { get }
    /// Whether all values of the type take the same number of bytes in a row and none outside it.
    static var _isOfFixedSize: Bool { get }
    /// Reads the value of `field`. A missing value reads as the type's zero.
    static func _load(_ field: RowField, of row: RowPointer, in page: RowPage) -> Self
    /// Writes the value to `field` of a writable row.
    func _store(to field: RowField, of row: RowPointer, in page: RowPage)
    /// Reads the value of `field`, which is not missing; nil if it is not of this type.
    static func _loadIfValid(_ field: RowField, of row: RowPointer, in page: RowPage) -> Self?
    /// Returns the value for `value(forKey:)`; throws if it is not of this type.
    static func _value(of stored: StoredValue) throws(StoreError) -> Any?
    /// Converts an argument of `setValue(_:forKey:)` that no built-in conversion covers; nil if this type cannot
    /// convert it either.
    static func _stored(_ any: Any) throws(StoreError) -> StoredValue?
}

extension AttributeValue {
    /// False: a plain value is never nil.
    public static var isOptional: Bool { false }
    /// False, which is correct for any type.
    @inlinable public static var _isOfFixedSize: Bool { false }
    /// Reads the value of `field`.
    @inlinable public static func _loadIfValid(_ field: RowField, of row: RowPointer, in page: RowPage) -> Self? {
        _load(field, of: row, in: page)
    }
    /// Returns the value unchanged.
    public static func _value(of stored: StoredValue) throws(StoreError) -> Any? { stored.any }
    /// Returns nil.
    public static func _stored(_ any: Any) throws(StoreError) -> StoredValue? { nil }
}

extension Bool: AttributeValue {
    /// `.boolean`
    public static var attributeType: AttributeType { .boolean }
    /// The value as predicates and stores use it.
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
    /// The value as predicates and stores use it.
    public var storedValue: StoredValue { .integer64(self) }
}

extension Double: FixedWidthValue {
    /// `.double`
    public static var attributeType: AttributeType { .double }
    /// The value as predicates and stores use it.
    public var storedValue: StoredValue { .double(self) }
}

extension Date: AttributeValue {
    /// `.date`
    public static var attributeType: AttributeType { .date }
    /// The value as predicates and stores use it.
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
    /// The value as predicates and stores use it.
    public var storedValue: StoredValue { .string(self) }
    /// Makes a string of the bytes in the page, and repairs invalid UTF-8.
    @inlinable public static func _load(_ field: RowField, of row: RowPointer, in page: RowPage) -> String {
        ShortString.load(at: field.offset, of: row) ?? String(decoding: page.bytes(of: field, of: row), as: UTF8.self)
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
    /// The value as predicates and stores use it.
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
    /// The value as predicates and stores use it.
    public var storedValue: StoredValue { self?.storedValue ?? .null }
    /// The trait of the wrapped type.
    @inlinable public static var _isOfFixedSize: Bool { Wrapped._isOfFixedSize }
    /// Reads nil or the wrapped value. A value that is not of the wrapped type reads as nil.
    @inlinable public static func _load(_ field: RowField, of row: RowPointer, in page: RowPage) -> Wrapped? {
        field.isNull(in: row) ? nil : Wrapped._loadIfValid(field, of: row, in: page)
    }
    /// Returns the value in the wrapped type's form.
    public static func _value(of stored: StoredValue) throws(StoreError) -> Any? { try Wrapped._value(of: stored) }
    /// Converts a value with the wrapped type.
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
