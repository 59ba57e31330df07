/// Fetches a whole sorted result, page by page.
public struct PageWork: Sendable, Equatable, Codable {
    /// The way to the next page.
    public enum Mode: String, Sendable, Codable, CaseIterable {
        /// A fetch leaves out as many records as the pages before had.
        case offset
        /// A fetch finds the records after the last one of the page before, by its key.
        case key
    }

    /// The way to the next page.
    public var by: Mode
    /// The largest number of records of a page.
    public var pageSize: Int
    /// The order of the result; no two records are equal in all keys, so that each has one place.
    public var sort: [SortSpec]
    /// The filter of the records; nil means all.
    public var filter: FilterSpec?

    /// Creates the work.
    public init(by: Mode, pageSize: Int, sort: [SortSpec], filter: FilterSpec? = nil) {
        self.by = by
        self.pageSize = pageSize
        self.sort = sort
        self.filter = filter
    }
}

extension Phase.Work {
    /// Fetches a sorted result page by page.
    public static func page(_ work: PageWork) -> Phase.Work { Phase.Work(work) }
}

/// A session that fetches pages of a sorted result.
public protocol PagingSession: StoreSession {
    /// Fetches one page on ``StoreSession/queue``: ``FetchWork/limit`` records of a sorted result at most, after the
    /// first `offset`. Called while the clock runs. The harness then reads every attribute, and lets go of the page.
    ///
    /// Where pages are found by key, `offset` is 0, and the filter leaves out the pages before.
    func page(_ work: FetchWork, offset: Int) throws -> any FetchedRecords
}

extension Capability {
    static let paging = Capability(name: "PagingSession", lack: "it fetches no pages") {
        $0 is any PagingSession.Type
    }
}

extension PageWork {
    static let kind = PhaseKind(
        "page", "Fetches a whole sorted result, page by page, with a latency of each page.", allowsFiles: true,
        keys: [
            .required(
                "by", .choice(Mode.self),
                "offset leaves out the records of the pages before; key begins after the last record of the page "
                    + "before, by the unique attribute."),
            .required("page_records", .records, "The largest number of records of a page."),
            .required("sort", .sort, "The order of the result; the last attribute is unique, and the only one by key."),
            .optional("filter", .filter, "The records of the result; all if omitted."),
        ]
    ) { object, start in
        let mode: Mode? = object["by"]?.choice("way to the next page")
        let size = object["page_records"]?.integer()
        let filter = start.filter(object)
        let sort = object["sort"]?.totalSort(by: start.entity, of: "pages")
        guard let mode, let size, object["sort"] != nil else { return nil }
        if mode == .key, let sort, sort.count > 1 {
            object["sort"]?.refuse("pages by key with \(sort.count) sort keys", expected: "1, the unique attribute")
        }
        return PageWork(by: mode, pageSize: size, sort: sort ?? [], filter: filter)
    }
}
