import Foundation
import Synchronization

/// A checked key: names an attribute of a typed class and knows the Swift type of its values.
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
/// Reading through it costs a few nanoseconds, where `value(forKey:)` looks the name up and boxes the value.
public final class Attribute<Value: AttributeValue>: AttributeKey {
    /// The attribute's description, from which entities are made.
    public let description: AttributeDescription
    /// The property that `#Predicate` and `SortDescriptor` know the attribute by; nil for one that only has a name.
    public let keyPath: (AnyKeyPath & Sendable)?
    /// Where the attribute stands in its entity. The same class always yields the same position; an entity made
    /// otherwise is noticed by the layout's check, which then goes by the name.
    @usableFromInline let position = Atomic<Int>(0)

    /// Makes a key for the attribute called `name`, which the property at `keyPath` reads and writes.
    ///
    /// What is expected of its values is explained at ``AttributeDescription``.
    public init<Root: ManagedObject>(
        _ name: String, _ keyPath: KeyPath<Root, Value> & Sendable, default defaultValue: Value? = nil,
        minValue: Value? = nil, maxValue: Value? = nil, minLength: Int? = nil, maxLength: Int? = nil,
        pattern: String? = nil, allowsExternalBinaryDataStorage: Bool = false
    ) {
        self.keyPath = keyPath
        description = Self.describe(
            name, defaultValue, minValue, maxValue, minLength, maxLength, pattern, allowsExternalBinaryDataStorage)
    }

    /// Makes a key for the attribute called `name` of a dynamic entity.
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

    /// Remembers where an entity put the attribute.
    public func _place(at position: Int) {
        self.position.store(position, ordering: .relaxed)
    }

    /// The value as `value(forKey:)` hands it out; throws when it is none of the attribute's Swift type.
    public func _value(of stored: StoredValue) throws(StoreError) -> Any? { try Value._value(of: stored) }

    /// Takes in a value that only the attribute's Swift type knows; nil for what it does not know either.
    public func _stored(_ any: Any) throws(StoreError) -> StoredValue? { try Value._stored(any) }
}

/// An ``Attribute`` of any type.
public protocol AttributeKey: AnyObject, Sendable {
    /// The attribute's description, from which entities are made.
    var description: AttributeDescription { get }
    /// The property that `#Predicate` and `SortDescriptor` know the attribute by.
    var keyPath: (AnyKeyPath & Sendable)? { get }
    /// Remembers where an entity put the attribute.
    func _place(at position: Int)
    /// The value as `value(forKey:)` hands it out; throws when it is none of the attribute's Swift type.
    func _value(of stored: StoredValue) throws(StoreError) -> Any?
    /// Takes in a value that only the attribute's Swift type knows; nil for what it does not know either.
    func _stored(_ any: Any) throws(StoreError) -> StoredValue?
}
