import Foundation

/// An object that a context wanted to save although its row had moved on since the context read it.
///
/// Two pairs can disagree, and the snapshots tell which did:
/// - The context and the coordinator, which knows of a newer row, since another of its contexts saved or fetched it:
///   `cachedSnapshot` is that row, and `persistedSnapshot` is nil.
/// - The coordinator and the store, which somebody else changed: `cachedSnapshot` is the row that the context's changes are based
///   on, and `persistedSnapshot` is the store's.
///
/// The snapshot of a deleted row is nil, and `newVersion` is 0 then. What the coordinator has forgotten is no conflict with it.
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
    private var object: RowSnapshot?
    private var cached: RowSnapshot?
    private var persisted: RowSnapshot?

    /// A conflict that was found, not looked into yet.
    init(objectID: ManagedObjectID, oldVersion: Int, newVersion: Int) {
        self.objectID = objectID
        self.oldVersion = oldVersion
        self.newVersion = newVersion
    }

    /// The conflict between the context and the coordinator; without `cached`, the coordinator knows that the row is gone.
    init(_ found: MergeConflict, object: RowSnapshot, cached: RowSnapshot?, current: RowSnapshot?) {
        self.init(
            objectID: found.objectID, oldVersion: found.oldVersion,
            newVersion: cached.map { Int($0.reference.row.version) } ?? 0)
        (self.object, self.cached, self.current) = (object, cached, current)
    }

    /// The conflict between the coordinator and the store.
    init(_ found: MergeConflict, object: RowSnapshot, base: RowSnapshot, current: RowSnapshot?) {
        self.init(
            objectID: found.objectID, oldVersion: found.oldVersion,
            newVersion: current.map { Int($0.reference.row.version) } ?? 0)
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
