import Foundation

/// An attribute of an entity: its name, its type, and what is expected of its values.
public struct AttributeDescription: Sendable, Hashable {
    /// The key under which the attribute is read and written; unique within its entity.
    public let name: String
    /// The type of its values.
    public let attributeType: AttributeType
    /// Whether an object may be saved without a value for it.
    public let isOptional: Bool
    /// What a new object starts with; nil starts with no value.
    public let defaultValue: StoredValue?

    /// Describes an attribute.
    public init(_ name: String, _ type: AttributeType, isOptional: Bool = false, defaultValue: StoredValue? = nil) {
        self.name = name
        self.attributeType = type
        self.isOptional = isOptional
        self.defaultValue = defaultValue
    }
}
