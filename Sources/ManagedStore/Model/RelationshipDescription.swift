/// A relationship of an entity: its name, its destination, its cardinality and its delete rule.
///
/// A relationship leads to one object or to many. Its *inverse* leads back; setting either end updates both. A to-many
/// relationship needs an inverse, through which the store keeps it.
public struct RelationshipDescription: Sendable, Hashable {
    /// The effect of an object's deletion on the objects that the relationship leads to.
    public enum DeleteRule: String, Sendable, CaseIterable {
        /// No effect: they keep a reference to an object that no longer exists.
        case noAction
        /// Their references to the object become nil.
        case nullify
        /// They are deleted as well.
        case cascade
        /// The object cannot be deleted while the relationship leads to any; saving throws an error.
        case deny
    }

    /// The key that reads and writes the relationship; unique within its entity.
    public let name: String
    /// The name of the destination entity.
    public let destinationEntityName: String
    /// The name of the relationship that leads back; nil for a relationship without an inverse.
    public let inverseName: String?
    /// Whether it leads to any number of objects rather than to one.
    public let isToMany: Bool
    /// Whether a to-many relationship stores the order of its objects.
    public let isOrdered: Bool
    /// Whether an object can be saved while the relationship leads nowhere.
    public let isOptional: Bool
    /// The least number of objects in a to-many relationship that can be saved; an optional relationship may also be
    /// empty. 0 sets no limit.
    public let minCount: Int
    /// The greatest number of objects in a to-many relationship that can be saved; 0 sets no limit.
    public let maxCount: Int
    /// The effect of an object's deletion on the related objects.
    public let deleteRule: DeleteRule

    /// Describes a relationship. The model that receives the description reports its faults.
    public init(
        _ name: String, to destination: String, inverse: String? = nil, isToMany: Bool = false, isOrdered: Bool = false,
        isOptional: Bool = true, minCount: Int = 0, maxCount: Int = 0, deleteRule: DeleteRule = .nullify
    ) {
        self.name = name
        destinationEntityName = destination
        inverseName = inverse
        self.isToMany = isToMany
        self.isOrdered = isOrdered
        self.isOptional = isOptional
        self.minCount = minCount
        self.maxCount = maxCount
        self.deleteRule = deleteRule
    }

    /// Whether the number of objects can be invalid.
    var hasCountLimits: Bool { isToMany && (!isOptional || minCount > 0 || maxCount > 0) }
}

extension RelationshipDescription {
    /// The fault in the description itself; nil if there is none.
    var fault: String? {
        if !isToMany {
            if isOrdered { return "only a to-many relationship can be ordered" }
            return minCount != 0 || maxCount != 0 ? "minCount and maxCount apply to to-many relationships only" : nil
        }
        if inverseName == nil { return "a to-many relationship needs an inverse; name it with inverse:" }
        if minCount < 0 || maxCount < 0 || maxCount > 0 && maxCount < minCount {
            return "no number lies between minCount \(minCount) and maxCount \(maxCount)"
        }
        return nil
    }
}
