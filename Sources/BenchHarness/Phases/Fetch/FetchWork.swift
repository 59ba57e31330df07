/// Fetches records as objects.
public struct FetchWork: Sendable, Equatable, Codable {
    /// How the fetch is executed.
    public enum Mode: String, Sendable, Codable, CaseIterable {
        /// On the context's queue, which waits for it.
        case sync
        /// On another thread, delivered on the context's queue.
        case async
    }

    /// What is done with each record inside the clock.
    public enum Touch: String, Sendable, Codable, CaseIterable {
        /// Nothing: the store hands back what it hands back, faults perhaps.
        case none
        /// Every attribute of every record is read.
        case all
    }

    /// How it is executed.
    public var mode: Mode
    /// The order of the result, by the rules of ``RecordOrder``; empty leaves it to the store. Records that are equal
    /// in every key may come in any order.
    public var sort: [SortSpec]
    /// Which records to fetch; nil means all.
    public var filter: FilterSpec?
    /// 0 means all.
    public var limit: Int
    /// What is done with each record inside the clock.
    public var touch: Touch
    /// The attributes that are fetched, and touched; nil means all. What a fetch hands back has these alone, in the
    /// order of the entity: ``EntitySpec/keeping(_:)`` says which.
    public var attributes: [String]?
    /// Reads what is related to the records, too; nil reads the records alone.
    ///
    /// From the records to their owners, a record that is handed back is followed by its owner's attributes. From the
    /// owners to their records, what is handed back is the owners: their attributes, their number, and of all records
    /// of one the digest that ``RecordDigester/addOwner(_:with:attributes:)`` makes.
    public var follow: FollowSpec?
    /// Cancels an asynchronous fetch once it has reported this many records; nil lets it finish.
    public var cancelAfterRecords: Int?

    /// Creates the work.
    public init(
        mode: Mode, sort: [SortSpec] = [], filter: FilterSpec? = nil, limit: Int = 0, touch: Touch = .all,
        attributes: [String]? = nil, follow: FollowSpec? = nil, cancelAfterRecords: Int? = nil
    ) {
        self.mode = mode
        self.sort = sort
        self.filter = filter
        self.limit = limit
        self.touch = touch
        self.attributes = attributes
        self.follow = follow
        self.cancelAfterRecords = cancelAfterRecords
    }
}
