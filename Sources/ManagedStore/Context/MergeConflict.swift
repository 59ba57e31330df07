import Foundation

/// An object that a context wanted to save although its row had moved on since the context read it.
///
/// Two pairs can disagree, and the snapshots tell which did:
/// - The context and the coordinator, which knows of a newer row, since another of its contexts saved or fetched it:
///   `cachedSnapshot` is that row, and `persistedSnapshot` is nil.
/// - The coordinator and the store, which another process or coordinator changed: `cachedSnapshot` is the row that the
///   context's changes are based on, and `persistedSnapshot` is the store's.
///
/// The snapshot of a deleted row is nil, and `newVersion` is 0 then. What the coordinator has forgotten is no conflict
/// with it.
///
/// A save also relies on rows that it does not change, and they are in conflict too:
/// - a deleted object to which the save made a reference or a link; `newVersion` is 0;
/// - a deleted object that others refer to by now, although its delete rules have been followed; `newVersion` is
///   `oldVersion`, for its own row did not change;
/// - an object that has got another partner by a one-to-one relationship than the save takes it to have.
public struct MergeConflict: Sendable {
    /// The object.
    public let objectID: ManagedObjectID
    /// The version that the context's changes are based on.
    public let oldVersion: Int
    /// The version that was found instead; 0 means that the object was deleted.
    public let newVersion: Int

    /// The object's values in the context; made anew at each call.
    public var objectSnapshot: [String: StoredValue]? { object?.values }
    /// The values that the coordinator knows; made anew at each call.
    public var cachedSnapshot: [String: StoredValue]? { cached?.values }
    /// The values in the store; made anew at each call.
    public var persistedSnapshot: [String: StoredValue]? { persisted?.values }

    /// The row in the store when the conflict was looked into, whichever pair disagreed; nil when it was deleted.
    private(set) var current: RowSnapshot?
    /// What the save wanted with the row.
    private(set) var cause = Cause.change
    private var object: RowSnapshot?
    private var cached: RowSnapshot?
    private var persisted: RowSnapshot?

    /// What a save wanted with a row in conflict.
    enum Cause: Sendable {
        /// To change or delete it, from another version than it has.
        case change
        /// To refer to it, though it is not there.
        case reference
        /// To delete it, though others refer to it.
        case deletion
        /// To make others partners by a one-to-one relationship, of which one is its own, or to leave it alone as the
        /// partner of one.
        case partnership
    }

    /// A conflict that was found, not looked into yet.
    init(objectID: ManagedObjectID, oldVersion: Int, newVersion: Int) {
        self.objectID = objectID
        self.oldVersion = oldVersion
        self.newVersion = newVersion
    }

    /// A conflict over a row that is not there, and that a save refers to.
    init(target: ManagedObjectID) {
        self.init(objectID: target, oldVersion: 0, newVersion: 0)
        cause = .reference
    }

    /// A conflict over a row to delete that others refer to.
    init(referred: ManagedObjectID, version: Int) {
        self.init(objectID: referred, oldVersion: version, newVersion: version)
        cause = .deletion
    }

    /// A conflict over a row that does not agree with the save about who its partner is.
    init(partner: ManagedObjectID, version: Int) {
        self.init(objectID: partner, oldVersion: version, newVersion: version)
        cause = .partnership
    }

    /// The same conflict, over an object of which the context knows a version.
    init(_ found: MergeConflict, of objectID: ManagedObjectID, known version: Int) {
        self.init(objectID: objectID, oldVersion: version, newVersion: found.newVersion)
        cause = found.cause
    }

    /// The conflict between the context and the coordinator; without `cached`, the coordinator knows that the row is
    /// gone.
    init(_ found: MergeConflict, object: RowSnapshot, cached: RowSnapshot?, current: RowSnapshot?) {
        self.init(
            objectID: found.objectID, oldVersion: found.oldVersion,
            newVersion: cached.map { Int($0.reference.row.version) } ?? 0)
        cause = found.cause
        (self.object, self.cached, self.current) = (object, cached, current)
    }

    /// The conflict between the coordinator and the store.
    init(_ found: MergeConflict, object: RowSnapshot, base: RowSnapshot, current: RowSnapshot?) {
        self.init(
            objectID: found.objectID, oldVersion: found.oldVersion,
            newVersion: current.map { Int($0.reference.row.version) } ?? 0)
        cause = found.cause
        (self.object, cached, persisted, self.current) = (object, base, current, current)
    }
}

extension MergeConflict: Hashable {
    /// Whether object and versions are the same.
    public static func == (left: MergeConflict, right: MergeConflict) -> Bool {
        left.objectID == right.objectID && left.oldVersion == right.oldVersion && left.newVersion == right.newVersion
    }

    /// Feeds the object.
    public func hash(into hasher: inout Hasher) { hasher.combine(objectID) }
}

extension MergeConflict {
    /// What is in conflict with what, for an error's message.
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
    /// What helps when no policy settles it.
    fileprivate var advice: String {
        switch cause {
        case .change where newVersion == 0:
            "refresh(_:mergeChanges: true) the object, which then leaves the context, and save again"
        case .change: "refresh(_:mergeChanges:) the object and save again"
        case .partnership: "refresh(_:mergeChanges:) the object, roll back, and set the relationship again"
        case .reference: "lead the reference to another object or to nil, or roll back, and save again"
        case .deletion: "roll back, and delete it again"
        }
    }
}

extension StoreError {
    /// How many conflicts a message names.
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
