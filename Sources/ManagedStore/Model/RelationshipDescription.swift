/// A relationship of an entity: its name, to which entity it leads, to how many objects, and what becomes of these when
/// the object is deleted.
///
/// A relationship leads to one object or to many. Its *inverse* leads back; whichever end is set, both are kept in
/// step. To-many relationships need an inverse, which is what the store keeps them by.
public struct RelationshipDescription: Sendable, Hashable {
    /// What the deletion of an object does to those that the relationship leads to.
    public enum DeleteRule: String, Sendable, CaseIterable {
        /// Nothing: they go on referring to an object that is not there any more.
        case noAction
        /// They forget the object.
        case nullify
        /// They are deleted as well.
        case cascade
        /// The object cannot be deleted as long as there are any: saving is an error.
        case deny
    }

    /// The key under which the relationship is read and written; unique within its entity.
    public let name: String
    /// The name of the entity to whose objects it leads.
    public let destinationEntityName: String
    /// The name of the relationship that leads back; nil for one that only leads there.
    public let inverseName: String?
    /// Whether it leads to any number of objects.
    public let isToMany: Bool
    /// Whether the objects are in an order of their own, which is kept; for a to-many relationship.
    public let isOrdered: Bool
    /// Whether an object may be saved while the relationship leads nowhere.
    public let isOptional: Bool
    /// The least number of objects of a to-many relationship that may be saved, unless it is optional and has none; 0
    /// sets no limit.
    public let minCount: Int
    /// The greatest number of objects of a to-many relationship that may be saved; 0 sets no limit.
    public let maxCount: Int
    /// What becomes of the related objects when an object is deleted.
    public let deleteRule: DeleteRule

    /// Describes a relationship. What is wrong with the description is said by the model that it becomes part of.
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

    /// Whether how many objects there are can be wrong.
    var hasCountLimits: Bool { isToMany && (!isOptional || minCount > 0 || maxCount > 0) }
}

extension RelationshipDescription {
    /// What is wrong with the relationship in itself; nil if nothing is.
    var fault: String? {
        if !isToMany {
            if isOrdered { return "only a to-many relationship can be ordered" }
            return minCount != 0 || maxCount != 0 ? "minCount and maxCount are for to-many relationships" : nil
        }
        if inverseName == nil { return "a to-many relationship needs an inverse, which is what it is kept by" }
        if minCount < 0 || maxCount < 0 || maxCount > 0 && maxCount < minCount {
            return "no number lies between minCount \(minCount) and maxCount \(maxCount)"
        }
        return nil
    }
}
