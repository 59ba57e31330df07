/// The objects whose to-many relationship is read, by their keys.
struct RelatedOwners: Sendable {
    /// In ascending order without duplicates; not empty.
    let keys: [Int64]
    /// Whether these are all objects of their entity. Reading the whole table of related rows then takes the least
    /// time.
    let areAll: Bool

    init(_ keys: [Int64], areAll: Bool) {
        self.keys = DistinctKeys.sorted(keys)
        self.areAll = areAll
    }

    /// The range of the keys if a statement may read all of it; nil if that would find rows of other objects.
    var range: ClosedRange<Int64>? {
        guard let first = keys.first, let last = keys.last else { return nil }
        return areAll || first == last || keys.ends != nil ? first...last : nil
    }
}

/// The rows that a to-many relationship of several objects leads to.
struct RelatedLists {
    /// A row in the list of an owner.
    struct Link {
        let owner: Int64
        /// The row's position in the order of the rows.
        let row: UInt32
        /// The number that orders the list; 0 in an unordered relationship.
        let number: Int64
    }

    /// A link as a store knows it.
    struct Pair {
        let owner: Int64
        let member: Int64
        let number: Int64
    }

    /// The rows, each once or more.
    var rows = FetchedRows()
    /// The links of each owner, in the order of its list. Those of several owners may alternate.
    private(set) var links: [Link] = []

    /// Adds rows and the links to them. Leaves out links to rows that are missing.
    mutating func append(_ more: FetchedRows, _ pairs: [Pair]) {
        let first = rows.count
        var places: [RowKey: UInt32] = [:]
        places.reserveCapacity(more.count)
        for (place, row) in more.references().enumerated() { places[RowKey(row.row.key)] = UInt32(first + place) }
        rows.append(more)
        for pair in pairs {
            guard let place = places[RowKey(pair.member)] else { continue }
            links.append(Link(owner: pair.owner, row: place, number: pair.number))
        }
    }

    /// Adds rows that hold the reference to their owner in `field`.
    mutating func append(_ more: FetchedRows, ownersIn field: RowField) {
        var place = UInt32(rows.count)
        links.reserveCapacity(rows.count + more.count)
        more.forEachRow { row in
            if let owner = field.reference(in: row) { links.append(Link(owner: owner.key, row: place, number: 0)) }
            place += 1
        }
        rows.append(more)
    }
}

/// Links by their owner, in their order: a counting sort.
struct LinkGroups {
    private let sorted: [RelatedLists.Link]
    private let starts: [Int]

    /// Groups links by the position of their owner in `owners`. Drops the links of other owners.
    init(_ links: [RelatedLists.Link], owners: [Int64]) {
        let places = KeyPlaces(owners)
        let found = links.map { places[$0.owner] }
        var starts = [Int](repeating: 0, count: owners.count + 1)
        for place in found where place >= 0 { starts[place + 1] += 1 }
        for place in owners.indices { starts[place + 1] += starts[place] }
        var next = starts
        sorted = Array(unsafeUninitializedCapacity: starts[owners.count]) { buffer, count in
            count = starts[owners.count]
            for (link, place) in zip(links, found) where place >= 0 {
                buffer.initializeElement(at: next[place], to: link)
                next[place] += 1
            }
        }
        self.starts = starts
    }

    /// Returns the links of the owner at a position.
    subscript(place: Int) -> ArraySlice<RelatedLists.Link> { sorted[starts[place]..<starts[place + 1]] }
}

/// The positions of distinct keys in a list: a table over their range if that is small, otherwise a dictionary.
struct KeyPlaces {
    private var first: Int64 = 0
    private var table: [Int32] = []
    private var places: [RowKey: Int] = [:]

    init(_ keys: [Int64]) {
        guard let range = DistinctKeys.range(of: keys) else { return }
        let (span, isBeyond) = range.upperBound.subtractingReportingOverflow(range.lowerBound)
        if !isBeyond, span < Int64(keys.count) * 8 + 1024 {
            first = range.lowerBound
            table = [Int32](repeating: -1, count: Int(span) + 1)
            for (place, key) in keys.enumerated() { table[Int(key - first)] = Int32(place) }
        } else {
            for (place, key) in keys.enumerated() { places[RowKey(key)] = place }
        }
    }

    /// Returns the position of a key; -1 for an unknown one.
    subscript(key: Int64) -> Int {
        if table.isEmpty { return places[RowKey(key)] ?? -1 }
        let (place, isBeyond) = key.subtractingReportingOverflow(first)
        return isBeyond || place < 0 || place >= table.count ? -1 : Int(table[Int(place)])
    }
}

extension FetchedRows {
    /// Adds rows at the end.
    fileprivate mutating func append(_ more: FetchedRows) {
        if pages.isEmpty {
            let moment = moment
            self = more
            self.moment = moment
            return
        }
        if order != nil || more.order != nil {
            let shift = UInt32(pages.count << RowPage.rowsShift)
            order = (order ?? naturalOrder()) + (more.order ?? more.naturalOrder()).map { $0 + shift }
        }
        pages += more.pages
    }
}
