import Foundation
import Synchronization

/// A checked key, which names an attribute of a typed class and knows the Swift type of its values.
///
/// ```swift
/// final class Item: ManagedObject {
///     static let name = Attribute("name", \Item.name, minLength: 1, maxLength: 100)
///     static let done = Attribute("done", \Item.done, default: false)
///     override class var attributes: [any AttributeKey] { [name, done] }
///
///     var name: String { get { self[Item.name] } set { self[Item.name] = newValue } }
///     var done: Bool { get { self[Item.done] } set { self[Item.done] = newValue } }
/// }
/// ```
///
/// Access through the key takes a few nanoseconds; `value(forKey:)` looks up the name and boxes the value.
public final class Attribute<Value: AttributeValue>: AttributeKey {
    /// The attribute's description, from which entities are made.
    public let description: AttributeDescription
    /// The property that `#Predicate` and `SortDescriptor` use for the attribute; nil for an attribute without a
    /// property.
    public let keyPath: (AnyKeyPath & Sendable)?
    /// The attribute's position in its entity. One class always yields the same position. The layout's check detects an
    /// entity made in another way, and then uses the name.
    @usableFromInline let position = Atomic<Int>(0)

    /// Makes a key for the attribute `name`, which the property at `keyPath` reads and writes.
    ///
    /// ``AttributeDescription`` explains the constraints on its values.
    public init<Root: ManagedObject>(
        _ name: String, _ keyPath: KeyPath<Root, Value> & Sendable, default defaultValue: Value? = nil,
        minValue: Value? = nil, maxValue: Value? = nil, minLength: Int? = nil, maxLength: Int? = nil,
        pattern: String? = nil, allowsExternalBinaryDataStorage: Bool = false
    ) {
        self.keyPath = keyPath
        description = Self.describe(
            name, defaultValue, minValue, maxValue, minLength, maxLength, pattern, allowsExternalBinaryDataStorage)
    }

    /// Makes a key for the attribute `name` of a dynamic entity.
    public init(
        _ name: String, default defaultValue: Value? = nil, minValue: Value? = nil, maxValue: Value? = nil,
        minLength: Int? = nil, maxLength: Int? = nil, pattern: String? = nil,
        allowsExternalBinaryDataStorage: Bool = false
    ) {
        keyPath = nil
        description = Self.describe(
            name, defaultValue, minValue, maxValue, minLength, maxLength, pattern, allowsExternalBinaryDataStorage)
    }

    private static func describe(
        _ name: String, _ defaultValue: Value?, _ minValue: Value?, _ maxValue: Value?, _ minLength: Int?,
        _ maxLength: Int?, _ pattern: String?, _ isExternal: Bool
    ) -> AttributeDescription {
        AttributeDescription(
            name, Value.attributeType, isOptional: Value.isOptional, defaultValue: defaultValue?.storedValue,
            minValue: minValue?.storedValue, maxValue: maxValue?.storedValue, minLength: minLength,
            maxLength: maxLength, pattern: pattern, allowsExternalBinaryDataStorage: isExternal)
    }

    /// Records the attribute's position in an entity.
    public func _place(at position: Int) {
        self.position.store(position, ordering: .relaxed)
    }

    /// Returns the value for `value(forKey:)`; throws if it is not of the attribute's Swift type.
    public func _value(of stored: StoredValue) throws(StoreError) -> Any? { try Value._value(of: stored) }

    /// Converts a value that only the attribute's Swift type can convert; nil if that type cannot either.
    public func _stored(_ any: Any) throws(StoreError) -> StoredValue? { try Value._stored(any) }
}

/// An ``Attribute`` of any type.
public protocol AttributeKey: AnyObject, Sendable {
    /// The attribute's description, from which entities are made.
    var description: AttributeDescription { get }
    /// The property that `#Predicate` and `SortDescriptor` use for the attribute.
    var keyPath: (AnyKeyPath & Sendable)? { get }
    /// Records the attribute's position in an entity.
    func _place(at position: Int)
    /// Returns the value for `value(forKey:)`; throws if it is not of the attribute's Swift type.
    func _value(of stored: StoredValue) throws(StoreError) -> Any?
    /// Converts a value that only the attribute's Swift type can convert; nil if that type cannot either.
    func _stored(_ any: Any) throws(StoreError) -> StoredValue?
}
