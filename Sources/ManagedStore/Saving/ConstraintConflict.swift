import Foundation

/// Objects of a save that share values which must be unique, with each other or with a stored object.
public struct ConstraintConflict: Sendable, Hashable {
    /// The attributes whose combined values must be unique.
    public let constraint: [String]
    /// The shared values.
    public let constraintValues: [String: StoredValue]
    /// The stored object with these values, which the save does not change; nil if only objects of the save share them.
    public let databaseObjectID: ManagedObjectID?
    /// The objects of the context with these values: the new ones in the order of their insertion, then the changed
    /// ones in the order of their changes.
    ///
    /// In the error of a batch insert, only stored objects: its own objects have no IDs.
    public let conflictingObjectIDs: [ManagedObjectID]

    /// The shared values as messages name them.
    var values: String { constraint.map { "\($0) \(constraintValues[$0] ?? .null)" }.joined(separator: ", ") }
}

extension StoreError {
    static func constraintConflict(_ conflicts: [ConstraintConflict]) -> StoreError {
        let first = conflicts.first.map { conflict in
            ": \(conflict.conflictingObjectIDs)\(conflict.databaseObjectID.map { " and \($0)" } ?? "") have "
                + conflict.values
        }
        return StoreError(
            .constraintConflict,
            "\(conflicts.count) values that must be unique occur more than once\(first ?? "")"
                + "; change them, or set a merge policy",
            constraintConflicts: conflicts)
    }
}
