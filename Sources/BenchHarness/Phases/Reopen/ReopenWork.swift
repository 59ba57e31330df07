/// Starts an application: opens the store, and fetches from it for the first time.
public struct ReopenWork: Sendable, Equatable, Codable {
    /// The order of the fetched records; empty leaves it to the store.
    public var sort: [SortSpec]
    /// The filter of the records to fetch; nil means all.
    public var filter: FilterSpec?
    /// The largest number of records to fetch; 0 means all.
    public var limit: Int
    /// The state of the page cache when the clock starts.
    public var cache: FetchWork.Cache

    /// Creates the work.
    public init(
        sort: [SortSpec] = [], filter: FilterSpec? = nil, limit: Int = 0, cache: FetchWork.Cache = .cold
    ) {
        self.sort = sort
        self.filter = filter
        self.limit = limit
        self.cache = cache
    }

    /// The first fetch.
    var fetch: FetchWork { FetchWork(mode: .sync, sort: sort, filter: filter, limit: limit) }
}

extension Phase.Work {
    /// Opens the store and fetches records.
    public static func reopen(_ work: ReopenWork) -> Phase.Work { Phase.Work(work) }
}

extension ReopenWork {
    static let kind = PhaseKind(
        "reopen", "Starts an application: opens the store in a new process, and fetches from it for the first time.",
        allowsFiles: true,
        keys: FetchWork.selection + [
            .optional(
                "cache", .choice(FetchWork.Cache.self),
                "The state of the page cache when the clock starts: cold drops the pages of the store's files before; "
                    + "cold if omitted.")
        ]
    ) { object, start in
        // Only a store that was closed has no pages in the caches of its library.
        if let origin = start.origin, !origin.isCopy {
            start.from?.refuse("a reopen from \(origin.rawValue)", expected: "seeded")
        }
        let sort = object["sort"].map { $0.sort(by: start.entity) }
        let filter = start.filter(object)
        let limit = object["limit"]?.integer()
        let cache: FetchWork.Cache? = object["cache"]?.choice("state of the cache")
        return ReopenWork(sort: sort ?? [], filter: filter, limit: limit ?? 0, cache: cache ?? .cold)
    }
}
