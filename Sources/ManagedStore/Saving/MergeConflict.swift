import Foundation

/// An object that a context wants to save although its row changed after the context read it.
///
/// One of two pairs disagrees, and the snapshots show which:
/// - The context and the coordinator. Another context of the coordinator saved or fetched a newer row: `cachedSnapshot`
///   is that row, and `persistedSnapshot` is nil.
/// - The coordinator and the store. Another process or coordinator changed the row: `cachedSnapshot` is the row that
///   the context's changes are based on, and `persistedSnapshot` is the store's.
///
/// For a deleted row, the snapshot is nil and `newVersion` is 0. A row that the coordinator no longer caches causes no
/// conflict with the coordinator.
///
/// A save also relies on rows that it does not change. Their conflicts are:
/// - The save makes a reference or a link to an object that was deleted; `newVersion` is 0.
/// - The save deletes an object that other objects refer to by now, although its delete rules have been followed;
///   `newVersion` is `oldVersion`, since the object's own row did not change.
/// - An object has another partner in a one-to-one relationship than the save assumes.
public struct MergeConflict: Sendable {
    /// The ID of the object in conflict.
    public let objectID: ManagedObjectID
    /// The version that the context's changes are based on.
    public let oldVersion: Int
    /// The version found instead; 0 if the object was deleted.
    public let newVersion: Int

    /// The object's values in the context, computed at each call.
    public var objectSnapshot: [String: StoredValue]? { object?.values }
    /// The values that the coordinator knows, computed at each call.
    public var cachedSnapshot: [String: StoredValue]? { cached?.values }
    /// The values in the store, computed at each call.
    public var persistedSnapshot: [String: StoredValue]? { persisted?.values }

    /// The store's row when the conflict was examined, whichever pair disagreed; nil if it was deleted.
    private(set) var current: RowSnapshot?
    /// What the save needed the row for.
    private(set) var cause = Cause.change
    private var object: RowSnapshot?
    private var cached: RowSnapshot?
    private var persisted: RowSnapshot?

    /// What a save needed a row in conflict for.
    enum Cause: Sendable {
        /// To change or delete it, based on another version than the store's.
        case change
        /// To refer to it, although it does not exist.
        case reference
        /// To delete it, although other objects refer to it.
        case deletion
        /// To change a one-to-one relationship that it is, or was, a partner of.
        case partnership
    }

    /// Makes a conflict that has not been examined.
    init(objectID: ManagedObjectID, oldVersion: Int, newVersion: Int) {
        self.objectID = objectID
        self.oldVersion = oldVersion
        self.newVersion = newVersion
    }

    /// Makes a conflict over a missing row that a save refers to.
    init(target: ManagedObjectID) {
        self.init(objectID: target, oldVersion: 0, newVersion: 0)
        cause = .reference
    }

    /// Makes a conflict over a row to delete that other objects refer to.
    init(referred: ManagedObjectID, version: Int) {
        self.init(objectID: referred, oldVersion: version, newVersion: version)
        cause = .deletion
    }

    /// Makes a conflict over a row whose partner differs from the one that the save assumes.
    init(partner: ManagedObjectID, version: Int) {
        self.init(objectID: partner, oldVersion: version, newVersion: version)
        cause = .partnership
    }

    /// Makes the same conflict for an object of which the context knows a version.
    init(_ found: MergeConflict, of objectID: ManagedObjectID, known version: Int) {
        self.init(objectID: objectID, oldVersion: version, newVersion: found.newVersion)
        cause = found.cause
    }

    /// Makes the conflict between the context and the coordinator. Without `cached`, the coordinator knows that the row
    /// is deleted.
    init(_ found: MergeConflict, object: RowSnapshot, cached: RowSnapshot?, current: RowSnapshot?) {
        self.init(
            objectID: found.objectID, oldVersion: found.oldVersion,
            newVersion: cached.map { Int($0.reference.row.version) } ?? 0)
        cause = found.cause
        (self.object, self.cached, self.current) = (object, cached, current)
    }

    /// Makes the conflict between the coordinator and the store.
    init(_ found: MergeConflict, object: RowSnapshot, base: RowSnapshot, current: RowSnapshot?) {
        self.init(
            objectID: found.objectID, oldVersion: found.oldVersion,
            newVersion: current.map { Int($0.reference.row.version) } ?? 0)
        cause = found.cause
        (self.object, cached, persisted, self.current) = (object, base, current, current)
    }
}

extension MergeConflict: Hashable {
    /// Whether object and versions are equal.
    public static func == (left: MergeConflict, right: MergeConflict) -> Bool {
        left.objectID == right.objectID && left.oldVersion == right.oldVersion && left.newVersion == right.newVersion
    }

    /// Hashes the object.
    public func hash(into hasher: inout Hasher) { hasher.combine(objectID) }
}

extension MergeConflict {
    /// Describes the conflict for an error message.
    var explanation: String {
        switch cause {
        case .change:
            let change = newVersion == 0 ? "deleted" : "saved as version \(newVersion)"
            return "\(objectID) was \(change) by another writer after this context read version \(oldVersion)"
        case .reference: return "\(objectID), which this save refers to, was deleted by another writer"
        case .deletion: return "\(objectID) cannot be deleted, since another writer has made an object refer to it"
        case .partnership:
            return
                "\(objectID) was given another partner by another writer after this context read version \(oldVersion)"
        }
    }
}

extension MergeConflict {
    /// The remedy when no policy settles the conflict.
    fileprivate var advice: String {
        switch cause {
        case .change where newVersion == 0:
            "call refresh(_:mergeChanges: true) with the object, which then leaves the context, and save again"
        case .change: "call refresh(_:mergeChanges:) with the object and save again"
        case .partnership: "call refresh(_:mergeChanges:) with the object, roll back, and set the relationship again"
        case .reference: "set the reference to another object or to nil, or roll back, and save again"
        case .deletion: "roll back, and delete it again"
        }
    }
}

extension StoreError {
    /// The number of conflicts that a message names.
    private static let namedConflicts = 3

    static func conflict(_ conflicts: [MergeConflict]) -> StoreError {
        let named = conflicts.prefix(namedConflicts).map { "\($0.explanation): \($0.advice)" }
        let others = conflicts.count - named.count
        return StoreError(
            .mergeConflict,
            "nothing was saved: " + named.joined(separator: "; ")
                + (others > 0 ? "; and \(others) more conflicts" : ""),
            conflicts: conflicts)
    }
}
