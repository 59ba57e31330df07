import Foundation
import Synchronization

/// A checked key, which names a relationship of a typed class and knows the destination's class.
///
/// ```swift
/// final class Folder: ManagedObject {
///     static let items = Relationship("items", \Folder.items, inverse: "folder", deleteRule: .cascade)
///     override class var relationships: [any RelationshipKey] { [items] }
///
///     var items: Set<Item> { get { self[Folder.items] } set { self[Folder.items] = newValue } }
/// }
///
/// final class Item: ManagedObject {
///     static let folder = Relationship("folder", \Item.folder, inverse: "items")
///     override class var relationships: [any RelationshipKey] { [folder] }
///
///     var folder: Folder? { get { self[Item.folder] } set { self[Item.folder] = newValue } }
/// }
/// ```
///
/// The property's type determines the kind of relationship: an optional leads to one object, a `Set` to many objects,
/// an `Array` to many objects in a stored order.
public final class Relationship<Value: RelationshipValue>: RelationshipKey {
    /// The relationship's description, from which entities are made.
    public let description: RelationshipDescription
    /// The property that `#Predicate` and `SortDescriptor` use for the relationship; nil for a relationship without a
    /// property.
    public let keyPath: (AnyKeyPath & Sendable)?
    /// The relationship's position in its entity, as ``Attribute`` keeps an attribute's.
    private let position = Atomic<Int>(0)

    /// Makes a key for the relationship `name`, which the property at `keyPath` reads and writes.
    ///
    /// ``RelationshipDescription`` explains the arguments.
    public init<Root: ManagedObject>(
        _ name: String, _ keyPath: KeyPath<Root, Value> & Sendable, inverse: String? = nil, isOptional: Bool = true,
        minCount: Int = 0, maxCount: Int = 0, deleteRule: RelationshipDescription.DeleteRule = .nullify
    ) {
        self.keyPath = keyPath
        description = RelationshipDescription(
            name, to: Value.Destination.entityName, inverse: inverse, isToMany: Value.isToMany,
            isOrdered: Value.isOrdered, isOptional: isOptional, minCount: minCount, maxCount: maxCount,
            deleteRule: deleteRule)
    }

    /// The relationship's position in the entity that was described last.
    public var _position: Int { position.load(ordering: .relaxed) }

    /// Records the relationship's position in an entity.
    public func _place(at position: Int) {
        self.position.store(position, ordering: .relaxed)
    }
}

/// A ``Relationship`` of any type.
public protocol RelationshipKey: AnyObject, Sendable {
    /// The relationship's description, from which entities are made.
    var description: RelationshipDescription { get }
    /// The property that `#Predicate` and `SortDescriptor` use for the relationship.
    var keyPath: (AnyKeyPath & Sendable)? { get }
    /// The relationship's position in the entity that was described last.
    var _position: Int { get }
    /// Records the relationship's position in an entity.
    func _place(at position: Int)
}

/// The Swift type of a relationship: an optional, a `Set` or an `Array` of a class of managed objects.
public protocol RelationshipValue {
    /// The class of the objects.
    associatedtype Destination: ManagedObject
    /// Whether there can be more than one object.
    static var isToMany: Bool { get }
    /// Whether the relationship stores an order.
    static var isOrdered: Bool { get }
    /// Makes a value of objects of the class.
    init(_objects objects: [ManagedObject])
    /// Returns the objects that a relationship of `object` leads to.
    static func _related(to object: ManagedObject, by key: any RelationshipKey) -> Self
    /// Lets a relationship of `object` lead to these objects.
    func _setRelated(of object: ManagedObject, by key: any RelationshipKey)
    /// The objects.
    var _objects: [ManagedObject] { get }
    /// The key path by which `#Predicate` counts the objects.
    static var _countKeyPath: AnyKeyPath? { get }
    /// The key path by which `#Predicate` tests whether there are no objects.
    static var _isEmptyKeyPath: AnyKeyPath? { get }
}

extension RelationshipValue {
    /// Returns the objects that a relationship of `object` leads to.
    @inlinable public static func _related(to object: ManagedObject, by key: any RelationshipKey) -> Self {
        Self(_objects: object._relatedObjects(by: key))
    }
    /// Lets a relationship of `object` lead to these objects.
    @inlinable public func _setRelated(of object: ManagedObject, by key: any RelationshipKey) {
        object._setRelatedObjects(_objects, by: key)
    }
    /// Nil: there is one object or none.
    public static var _countKeyPath: AnyKeyPath? { nil }
    /// Nil: there is one object or none.
    public static var _isEmptyKeyPath: AnyKeyPath? { nil }
}

extension Optional: RelationshipValue where Wrapped: ManagedObject {
    /// The wrapped class.
    public typealias Destination = Wrapped
    /// False.
    public static var isToMany: Bool { false }
    /// False.
    public static var isOrdered: Bool { false }
    /// The first object, if there is one.
    public init(_objects objects: [ManagedObject]) { self = objects.first.map { unsafeDowncast($0, to: Wrapped.self) } }
    /// Returns the object that a relationship of `object` leads to.
    @inlinable public static func _related(to object: ManagedObject, by key: any RelationshipKey) -> Self {
        object._relatedObject(by: key, Wrapped.self).map { unsafeDowncast($0, to: Wrapped.self) }
    }
    /// Lets a relationship of `object` lead to this object, or nowhere.
    @inlinable public func _setRelated(of object: ManagedObject, by key: any RelationshipKey) {
        object._setRelatedObject(self, by: key)
    }
    /// The object, if there is one.
    public var _objects: [ManagedObject] { map { [$0] } ?? [] }
}

extension Set: RelationshipValue where Element: ManagedObject {
    /// The elements' class.
    public typealias Destination = Element
    /// True.
    public static var isToMany: Bool { true }
    /// False.
    public static var isOrdered: Bool { false }
    /// Makes a set of the objects.
    @inlinable public init(_objects objects: [ManagedObject]) {
        self.init(minimumCapacity: objects.count)
        for object in objects { insert(unsafeDowncast(object, to: Element.self)) }
    }
    /// The elements.
    @inlinable public var _objects: [ManagedObject] { Array(self) }
    /// `count`
    public static var _countKeyPath: AnyKeyPath? { CollectionKeyPaths.count(ofSet: Element.self) }
    /// `isEmpty`
    public static var _isEmptyKeyPath: AnyKeyPath? { CollectionKeyPaths.isEmpty(ofSet: Element.self) }
}

extension Array: RelationshipValue where Element: ManagedObject {
    /// The elements' class.
    public typealias Destination = Element
    /// True.
    public static var isToMany: Bool { true }
    /// True.
    public static var isOrdered: Bool { true }
    /// The objects, in order.
    @inlinable public init(_objects objects: [ManagedObject]) {
        self = objects.map { unsafeDowncast($0, to: Element.self) }
    }
    /// The elements, in order.
    @inlinable public var _objects: [ManagedObject] { self }
    /// `count`
    public static var _countKeyPath: AnyKeyPath? { CollectionKeyPaths.count(ofArray: Element.self) }
    /// `isEmpty`
    public static var _isEmptyKeyPath: AnyKeyPath? { CollectionKeyPaths.isEmpty(ofArray: Element.self) }
}

/// Key paths in the form that `#Predicate` uses. They are outside the extensions above, within which the compiler fails
/// on them.
private enum CollectionKeyPaths {
    static func count<Element: Hashable>(ofSet: Element.Type) -> AnyKeyPath { \Set<Element>.count }
    static func isEmpty<Element: Hashable>(ofSet: Element.Type) -> AnyKeyPath { \Set<Element>.isEmpty }
    static func count<Element>(ofArray: Element.Type) -> AnyKeyPath { \[Element].count }
    static func isEmpty<Element>(ofArray: Element.Type) -> AnyKeyPath { \[Element].isEmpty }
}
