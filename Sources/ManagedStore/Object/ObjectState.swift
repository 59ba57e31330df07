/// What a context knows of one of its objects.
public struct ObjectState: OptionSet, Sendable {
    /// The bits.
    public let rawValue: UInt16
    /// Makes a state of its bits.
    @inlinable public init(rawValue: UInt16) { self.rawValue = rawValue }

    /// The object was not read yet.
    @inlinable static var isFault: ObjectState { ObjectState(rawValue: 1) }
    /// The row holds the key alone; the values have to come from the store.
    static let isHollow = ObjectState(rawValue: 2)
    /// Made in this context and not saved.
    static let inserted = ObjectState(rawValue: 4)
    /// Changed and not saved.
    static let updated = ObjectState(rawValue: 8)
    /// Deleted and not saved.
    static let deleted = ObjectState(rawValue: 16)
    /// The row is this object's own and may be written.
    @inlinable static var isWritable: ObjectState { ObjectState(rawValue: 32) }
    /// Among the changes that the next objects-did-change will tell of.
    @inlinable static var isReported: ObjectState { ObjectState(rawValue: 64) }
    /// No longer part of its context: deleted and saved, rolled back, or left behind by `reset`.
    static let isGone = ObjectState(rawValue: 128)
    /// In the registry's table under its key.
    static let registered = ObjectState(rawValue: 256)

    /// New, and an objects-did-change has told of it.
    static let wasReported = ObjectState(rawValue: 512)

    /// The context may know objects that a to-many relationship leads to.
    static let hasRelated = ObjectState(rawValue: 1024)

    /// Every use is to be checked for the right queue.
    @inlinable static var isWatched: ObjectState { ObjectState(rawValue: 2048) }

    /// The context holds the object, since a fetch read it in advance.
    static let isPrefetched = ObjectState(rawValue: 4096)

    /// A list is being brought up to date with the object's changes.
    static let isTouched = ObjectState(rawValue: 8192)

    static let newlyInserted: ObjectState = [.inserted, .isWritable, .isReported]
    static let pending: ObjectState = [.inserted, .updated, .deleted]

    /// Whether a write needs no bookkeeping.
    @inlinable var isReadyForWriting: Bool {
        rawValue & (1 | 32 | 64 | 2048) == (32 | 64)
    }

    /// Whether a read needs no bookkeeping.
    @inlinable var isReadyForReading: Bool {
        rawValue & (1 | 2048) == 0
    }
}
