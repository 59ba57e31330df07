import Foundation

/// Settles the conflicts of a save: objects that another context or process changed after this context read them.
///
/// A save with conflicts asks the context's ``ManagedObjectContext/mergePolicy`` and then tries again. It repeats this
/// a few times, since other writers may keep changing rows.
///
/// ```swift
/// context.mergePolicy = .mergeByPropertyObjectTrump
/// try context.save()
/// ```
///
/// The policies treat an object as follows:
///
/// | | changed here and in the store | changed here, deleted in the store | deleted here, changed in the store |
/// | --- | --- | --- | --- |
/// | ``error`` | the save fails | the save fails | the save fails |
/// | ``mergeByPropertyStoreTrump`` | attributes that both changed get the store's values | the object leaves the context | the object is not deleted |
/// | ``mergeByPropertyObjectTrump`` | attributes that both changed keep this context's values | the object leaves the context | the object is deleted |
/// | ``overwrite`` | the row becomes what this context has | the object leaves the context | the object is deleted |
/// | ``rollback`` | this context's changes are dropped | the object leaves the context | the object is not deleted |
///
/// No object's row holds the links of many-to-many relationships or the order of lists, so a save cannot detect that
/// the store's have changed. ``mergeByPropertyObjectTrump`` and ``overwrite`` keep the context's unsaved links and
/// orders; ``mergeByPropertyStoreTrump`` and ``rollback`` drop them at both ends. An object that leaves the context
/// loses its unsaved links.
///
/// If the context wins, its references win: the store's partner in a one-to-one relationship loses it, and objects that
/// refer to a deleted one by now undergo its delete rules. If the store wins, this context's references in conflict are
/// dropped and its deletions withdrawn. A reference to a deleted row never wins: it becomes nil or, if the store wins,
/// regains its previous value. The save then fails if the relationship is required.
///
/// Conflicts over values that must be unique are settled in the same spirit, see ``resolve(constraintConflicts:in:)``.
///
/// A subclass overrides ``resolve(optimisticLockingConflicts:in:)`` or ``resolve(constraintConflicts:in:)``, and calls
/// `super` for the conflicts that it does not settle itself.
open class MergePolicy: @unchecked Sendable {
    // Unchecked: an open class cannot be Sendable otherwise. This class is immutable; a subclass is responsible for its
    // own state.

    /// How a policy settles conflicts.
    public enum MergeType: String, Sendable, CaseIterable {
        /// A conflict is an error.
        case error
        /// For each attribute, the store's change wins over the context's.
        case mergeByPropertyStoreTrump
        /// For each attribute, the context's change wins over the store's.
        case mergeByPropertyObjectTrump
        /// The context's objects replace the store's rows.
        case overwrite
        /// The context's changes to objects in conflict are dropped.
        case rollback
    }

    /// How the policy settles conflicts.
    public let mergeType: MergeType

    /// Makes a policy. `type` settles the conflicts that a subclass does not settle itself.
    public init(_ type: MergeType) {
        mergeType = type
    }

    /// Makes a save with conflicts fail. A new context has this policy.
    public static let error = MergePolicy(.error)
    /// Merges by attribute. If both changed an attribute, the store's value wins.
    public static let mergeByPropertyStoreTrump = MergePolicy(.mergeByPropertyStoreTrump)
    /// Merges by attribute. If both changed an attribute, the context's value wins.
    public static let mergeByPropertyObjectTrump = MergePolicy(.mergeByPropertyObjectTrump)
    /// Saves the context's objects as they are and replaces the store's rows.
    public static let overwrite = MergePolicy(.overwrite)
    /// Drops the context's changes to objects in conflict.
    public static let rollback = MergePolicy(.rollback)

    /// Settles conflicts between versions, on the context's queue, during its save. The save is tried again afterwards.
    ///
    /// An override may change and refresh objects of `context`. It must not save.
    ///
    /// - Throws: `StoreError` if the save is to fail. The error policy throws `mergeConflict` with the conflicts.
    open func resolve(
        optimisticLockingConflicts conflicts: [MergeConflict], in context: ManagedObjectContext
    ) throws(StoreError) {
        if mergeType == .error { throw StoreError.conflict(conflicts) }
        try ConflictSettlement(context: context, type: mergeType).settle(conflicts)
    }

    /// Settles conflicts over values that must be unique, on the context's queue, during its save. The save is tried
    /// again afterwards.
    ///
    /// If the store wins, the stored object keeps the values. A new object leaves the context; a changed one gets its
    /// previous values back, and ``rollback`` drops all its changes. Without a stored object, the values stay with the
    /// first object of the save that was stored before or, if all are new, with the first inserted one.
    ///
    /// If the context wins, the last object of the save keeps the values. A new object hands its values to the stored
    /// object and leaves the context, so that relationships to the stored object last; ``overwrite`` hands over missing
    /// values too. A changed object has the stored object deleted.
    ///
    /// - Throws: `StoreError` if the save is to fail. The error policy throws `constraintConflict` with the conflicts.
    open func resolve(
        constraintConflicts conflicts: [ConstraintConflict], in context: ManagedObjectContext
    ) throws(StoreError) {
        if mergeType == .error { throw StoreError.constraintConflict(conflicts) }
        try ConstraintSettlement(context: context, type: mergeType).settle(conflicts)
    }
}
