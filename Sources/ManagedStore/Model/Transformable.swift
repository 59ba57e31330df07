import Foundation

/// A `Codable` value as an attribute, stored as the bytes of its JSON in a BLOB.
///
/// ```swift
/// final class Place: ManagedObject {
///     static let position = Attribute("position", \Place.position)
///     override class var attributes: [any AttributeKey] { [position] }
///     var position: Transformable<Coordinate>? {
///         get { self[Place.position] }
///         set { self[Place.position] = newValue }
///     }
/// }
/// ```
///
/// ```swift
/// place.position = try Transformable(Coordinate(latitude: 52.5, longitude: 13.4))
/// let latitude = try place.position?.decoded().latitude
/// ```
///
/// The format is JSON because all platforms can read it and it allows any `Codable` type at the top. Keys are sorted,
/// so that equal values have equal bytes if their encoding is deterministic (that of a `Set` is not). Predicates,
/// sorting and change detection compare the bytes. Infinities and NaN are written as the strings "inf", "-inf" and
/// "nan".
public struct Transformable<Value: Codable & Sendable & Hashable>: Sendable, Hashable, Codable {
    /// The JSON.
    public let data: Data

    /// Encodes `value`, once. O(size of the value).
    ///
    /// - Throws: `StoreError` with `wrongType` if the value's own `encode(to:)` fails.
    public init(_ value: Value) throws(StoreError) {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        encoder.nonConformingFloatEncodingStrategy = .convertToString(
            positiveInfinity: "inf", negativeInfinity: "-inf", nan: "nan")
        do {
            data = try encoder.encode(value)
        } catch {
            throw StoreError(.wrongType, "a \(Value.self) cannot be encoded as JSON: \(error)")
        }
    }

    /// Wraps JSON from a store without parsing it.
    public init(data: Data) {
        self.data = data
    }

    /// The value; nil if the JSON does not represent a `Value`. Decodes at each call: O(size of the value).
    public var value: Value? { try? decoded() }

    /// Returns the value. Decodes at each call: O(size of the value).
    ///
    /// - Throws: `StoreError` with `wrongType` if the JSON does not represent a `Value`: it is of another type,
    ///   damaged, or missing, as in a required attribute that has no value yet.
    public func decoded() throws(StoreError) -> Value {
        let decoder = JSONDecoder()
        decoder.nonConformingFloatDecodingStrategy = .convertFromString(
            positiveInfinity: "inf", negativeInfinity: "-inf", nan: "nan")
        do {
            return try decoder.decode(Value.self, from: data)
        } catch {
            let found = data.withUnsafeBytes { TransformableForm.description($0) }
            throw StoreError(.wrongType, "\(found) cannot be decoded as a \(Value.self): \(error)")
        }
    }
}

extension Transformable: AttributeValue {
    /// `.transformable`
    public static var attributeType: AttributeType { .transformable }
    /// The value as predicates and stores use it.
    public var storedValue: StoredValue { .transformable(data) }
    /// Copies the JSON out of the page. The value is decoded when it is read.
    public static func _load(_ field: RowField, of row: RowPointer, in page: RowPage) -> Transformable {
        Transformable(data: Data._load(field, of: row, in: page))
    }
    /// Copies the JSON into the page.
    public func _store(to field: RowField, of row: RowPointer, in page: RowPage) {
        data._store(to: field, of: row, in: page)
    }
    /// Decodes the JSON.
    ///
    /// - Throws: `StoreError` with `wrongType` if it does not represent a `Value`.
    public static func _value(of stored: StoredValue) throws(StoreError) -> Any? {
        guard case .transformable(let data) = stored else { return stored.any }
        return try Transformable(data: data).decoded()
    }
    /// Encodes a bare `Value`; returns nil for any other type.
    ///
    /// - Throws: `StoreError` with `wrongType` if it cannot be encoded.
    public static func _stored(_ any: Any) throws(StoreError) -> StoredValue? {
        guard let value = any as? Value else { return nil }
        return try Transformable(value).storedValue
    }
}
