import Foundation

/// Objects of a save that share values which their entity wants to be unique, with each other or with a stored one.
public struct ConstraintConflict: Sendable, Hashable {
    /// The attributes whose values, taken together, are to be unique.
    public let constraint: [String]
    /// The values that are shared.
    public let constraintValues: [String: StoredValue]
    /// The stored object that has these values, which the save leaves alone; nil when only objects of the save share
    /// them.
    public let databaseObjectID: ManagedObjectID?
    /// The new and changed objects of the context that have these values, in the order in which they were inserted,
    /// then changed.
    public let conflictingObjectIDs: [ManagedObjectID]
}

extension StoreError {
    static func constraintConflict(_ conflicts: [ConstraintConflict]) -> StoreError {
        let first = conflicts.first.map { conflict in
            let values = conflict.constraint.map { "\($0) \(conflict.constraintValues[$0] ?? .null)" }
            return ": \(conflict.conflictingObjectIDs) want \(values.joined(separator: ", ")), "
                + (conflict.databaseObjectID.map { "which \($0) has" } ?? "all of them")
        }
        return StoreError(
            .constraintConflict,
            "\(conflicts.count) values that must be unique are wanted more than once\(first ?? "")"
                + "; change them, or set a merge policy",
            constraintConflicts: conflicts)
    }
}
