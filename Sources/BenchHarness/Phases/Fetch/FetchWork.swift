/// Fetches records as objects.
public struct FetchWork: Sendable, Equatable, Codable {
    /// The execution of a fetch.
    public enum Mode: String, Sendable, Codable, CaseIterable {
        /// On the context's queue, which waits for the result.
        case sync
        /// On another thread, with delivery on the context's queue.
        case async
    }

    /// What the harness reads of the result while the clock runs.
    public enum Touch: String, Sendable, Codable, CaseIterable {
        /// A few records, as a proof that the result exists: the store may return faults.
        case none
        /// Every attribute of every record.
        case all
    }

    /// The state of the page cache when the clock starts.
    public enum Cache: String, Sendable, Codable, CaseIterable {
        /// As the phase found it: the files were just copied, so their pages are in memory.
        case warm
        /// Without the pages of the store's files.
        case cold
    }

    /// The execution of the fetch.
    public var mode: Mode
    /// The order of the result, by the rules of ``RecordOrder``; empty leaves it to the store. Records that are equal
    /// in every key may come in any order.
    public var sort: [SortSpec]
    /// The filter of the records to fetch; nil means all.
    public var filter: FilterSpec?
    /// The largest number of records to fetch; 0 means all.
    public var limit: Int
    /// What the harness reads of the result while the clock runs.
    public var touch: Touch
    /// The attributes to fetch and read; nil means all. The result has only these, in the order of the entity: see
    /// ``EntitySpec/keeping(_:)``.
    public var attributes: [String]?
    /// The relationship to read along with the records; nil reads the records alone.
    ///
    /// If it leads to one record, each record of the result continues with the attributes of that one. If it leads to
    /// many, each continues with its own number, the number of those records, and the digest of them that
    /// ``RecordDigester/addOwner(_:isOrdered:attributes:records:)`` makes.
    public var follow: FollowSpec?
    /// The number of reported records after which an asynchronous fetch is cancelled; nil lets it finish.
    public var cancelAfterRecords: Int?
    /// The state of the page cache when the clock starts; nil means warm. Optional, since older files lack it.
    public var cache: Cache?

    /// Creates the work.
    public init(
        mode: Mode, sort: [SortSpec] = [], filter: FilterSpec? = nil, limit: Int = 0, touch: Touch = .all,
        attributes: [String]? = nil, follow: FollowSpec? = nil, cancelAfterRecords: Int? = nil, cache: Cache? = nil
    ) {
        self.mode = mode
        self.sort = sort
        self.filter = filter
        self.limit = limit
        self.touch = touch
        self.attributes = attributes
        self.follow = follow
        self.cancelAfterRecords = cancelAfterRecords
        self.cache = cache
    }
}

extension Phase.Work {
    /// Fetches records.
    public static func fetch(_ work: FetchWork) -> Phase.Work { Phase.Work(work) }
}
