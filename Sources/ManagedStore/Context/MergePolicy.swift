import Foundation

/// Settles the conflicts of a save: objects that another context or process has changed since this context read them.
///
/// A context's ``ManagedObjectContext/mergePolicy`` is asked when a save meets conflicts; afterwards the save is tried
/// again, and so a few times, since others may keep changing rows.
///
/// ```swift
/// context.mergePolicy = .mergeByPropertyObjectTrump
/// try context.save()
/// ```
///
/// What the policies do with an object that
///
/// | | changed here and in the store | changed here, deleted in the store | deleted here, changed in the store |
/// | --- | --- | --- | --- |
/// | ``error`` | the save fails | the save fails | the save fails |
/// | ``mergeByPropertyStoreTrump`` | attributes that both changed get their values | the object leaves the context | the object is not deleted |
/// | ``mergeByPropertyObjectTrump`` | attributes that both changed keep this context's values | the object leaves the context | the object is deleted |
/// | ``overwrite`` | the row becomes what this context has | the object leaves the context | the object is deleted |
/// | ``rollback`` | this context's changes are dropped | the object leaves the context | the object is not deleted |
///
/// Links of many-to-many relationships, and the order of lists, are in no object's row, so that a save cannot tell
/// whether the store's have changed too. Those of this context that were not saved yet stay with
/// ``mergeByPropertyObjectTrump`` and ``overwrite``; with ``mergeByPropertyStoreTrump`` and ``rollback`` they are
/// dropped at both ends. An object that leaves the context takes them along.
///
/// Where the context wins, so do its references: the store's partner in a one-to-one relationship loses it, and delete
/// rules are followed for objects that refer to a deleted one by now. Where the store wins, this context's references
/// in conflict are dropped, and deletions withdrawn. A reference to a row that was deleted never wins: it becomes nil,
/// or, where the store wins, what it was before. The save then fails if the relationship is required.
///
/// Values that must be unique are settled likewise, see ``resolve(constraintConflicts:in:)``.
///
/// A subclass overrides ``resolve(optimisticLockingConflicts:in:)`` or ``resolve(constraintConflicts:in:)``, and calls
/// `super` for what it does not care about.
open class MergePolicy: @unchecked Sendable {
    // Unchecked: an open class cannot be Sendable otherwise. This one is immutable; a subclass answers for what it
    // adds.

    /// The way in which a policy settles conflicts.
    public enum MergeType: String, Sendable, CaseIterable {
        /// Conflicts are errors.
        case error
        /// By attribute, the store's changes win over the context's.
        case mergeByPropertyStoreTrump
        /// By attribute, the context's changes win over the store's.
        case mergeByPropertyObjectTrump
        /// The context's objects replace the store's rows.
        case overwrite
        /// The context's changes to objects in conflict are dropped.
        case rollback
    }

    /// The way in which the policy settles conflicts.
    public let mergeType: MergeType

    /// Makes a policy; what a subclass does not settle itself is settled as `type` says.
    public init(_ type: MergeType) {
        mergeType = type
    }

    /// A save with conflicts fails: the policy of a new context.
    public static let error = MergePolicy(.error)
    /// Merges by attribute; where both changed one, the store's value wins.
    public static let mergeByPropertyStoreTrump = MergePolicy(.mergeByPropertyStoreTrump)
    /// Merges by attribute; where both changed one, the context's value wins.
    public static let mergeByPropertyObjectTrump = MergePolicy(.mergeByPropertyObjectTrump)
    /// Saves the context's objects as they are, and replaces the rows that the store has.
    public static let overwrite = MergePolicy(.overwrite)
    /// Drops the context's changes to objects in conflict.
    public static let rollback = MergePolicy(.rollback)

    /// Settles conflicts between versions, on the context's queue, during its save. The save is tried again afterwards.
    ///
    /// An override may change and refresh objects of `context`. It must not save.
    ///
    /// - Throws: `StoreError` when the save is to fail; the error policy, `mergeConflict` with the conflicts.
    open func resolve(
        optimisticLockingConflicts conflicts: [MergeConflict], in context: ManagedObjectContext
    ) throws(StoreError) {
        if mergeType == .error { throw StoreError.conflict(conflicts) }
        try context.settle(conflicts, as: mergeType)
    }

    /// Settles conflicts over values that must be unique, on the context's queue, during its save. The save is tried
    /// again afterwards.
    ///
    /// Where the store wins, it keeps the values: a new object leaves the context, a changed one goes back to the
    /// values that it had (``rollback``: drops all its changes). Where the context wins, a new object hands its values
    /// to the stored object (``overwrite``: missing ones too) and leaves the context, so that relationships to the
    /// stored one last; a changed one has the stored one deleted. Of several objects of the save, the first one that
    /// was stored already, or was inserted, keeps the values in the former case, the last one in the latter.
    ///
    /// - Throws: `StoreError` when the save is to fail; the error policy, `constraintConflict` with the conflicts.
    open func resolve(
        constraintConflicts conflicts: [ConstraintConflict], in context: ManagedObjectContext
    ) throws(StoreError) {
        if mergeType == .error { throw StoreError.constraintConflict(conflicts) }
        try context.settle(conflicts, as: mergeType)
    }
}
