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
    /// The links of owners to rows, in the order of each owner's list. Those of several owners may alternate.
    struct Links {
        var owners: [Int64] = []
        /// The position of each link's row in the order of the rows.
        var rows: [UInt32] = []
        /// The number of each link in the order of its list; none if rows refer to their owners, which has no order.
        var numbers: [Int64] = []
    }

    /// A link as a store knows it; its number is 0 in an unordered relationship.
    struct Pair {
        let owner: Int64
        let member: Int64
        let number: Int64
    }

    /// The rows, each once or more.
    var rows = FetchedRows()
    private(set) var links = Links()

    /// Adds rows and the links to them. Leaves out links to rows that are missing.
    mutating func append(_ more: FetchedRows, _ pairs: [Pair]) {
        let first = rows.count
        var places: [RowKey: UInt32] = [:]
        places.reserveCapacity(more.count)
        for (place, row) in more.references().enumerated() { places[RowKey(row.row.key)] = UInt32(first + place) }
        rows.append(more)
        for pair in pairs {
            guard let place = places[RowKey(pair.member)] else { continue }
            links.owners.append(pair.owner)
            links.rows.append(place)
            links.numbers.append(pair.number)
        }
    }

    /// Adds rows that hold the reference to their owner in `field`, of a relationship without an order.
    mutating func append(_ more: FetchedRows, ownersIn field: RowField) {
        var place = UInt32(rows.count)
        links.owners.reserveCapacity(rows.count + more.count)
        links.rows.reserveCapacity(rows.count + more.count)
        more.forEachRow { row in
            if let owner = field.reference(in: row) {
                links.owners.append(owner.key)
                links.rows.append(place)
            }
            place += 1
        }
        rows.append(more)
    }

    /// Puts the rows in the order of the lists of `owners`, and returns the links by owner.
    ///
    /// To go through the lists then reads memory sequentially: both the rows and the objects made of them. Otherwise
    /// each object of a large result would take two or three cache misses.
    mutating func arrange(by owners: [Int64]) throws(StoreError) -> LinkGroups {
        var groups = LinkGroups(links, owners: owners)
        links = Links()
        guard let order = groups.renumberRows(rows.count) else { return groups }
        let places = rows.order ?? rows.naturalOrder()
        try rows.arrange(by: order.map { places[Int($0)] }, .uncontrolled)
        return groups
    }
}

/// Links by their owner, in their order: a counting sort.
struct LinkGroups {
    /// The position of each link's row in the order of the rows.
    private(set) var rows: [UInt32]
    /// The number of each link in the order of its list; none if rows refer to their owners, which has no order.
    let numbers: [Int64]
    private let starts: [Int]

    /// Groups links by the position of their owner in `owners`. Drops the links of other owners.
    init(_ links: RelatedLists.Links, owners: [Int64]) {
        let places = KeyPlaces(owners)
        let found = links.owners.map { Int32(places[$0]) }
        var starts = [Int](repeating: 0, count: owners.count + 1)
        for place in found where place >= 0 { starts[Int(place) + 1] += 1 }
        for place in owners.indices { starts[place + 1] += starts[place] }
        rows = Self.sorted(links.rows, found, starts)
        numbers = links.numbers.isEmpty ? [] : Self.sorted(links.numbers, found, starts)
        self.starts = starts
    }

    /// Returns the values of links in the order of their groups, which begin at `starts`.
    private static func sorted<Value>(_ values: [Value], _ groups: [Int32], _ starts: [Int]) -> [Value] {
        let total = starts[starts.count - 1]
        var next = starts
        return Array(filling: total) { buffer, count in
            count = total
            for (value, group) in zip(values, groups) where group >= 0 {
                buffer.initializeElement(at: next[Int(group)], to: value)
                next[Int(group)] += 1
            }
        }
    }

    /// Numbers `count` rows in the order in which the groups name them, with those that no group names at the end.
    /// Returns the earlier numbers in the new order; nil if they are the same.
    fileprivate mutating func renumberRows(_ count: Int) -> [UInt32]? {
        var (order, numbers) = ([UInt32](), [UInt32](repeating: .max, count: count))
        order.reserveCapacity(count)
        func number(_ row: UInt32) -> UInt32 {
            if numbers[Int(row)] == .max {
                numbers[Int(row)] = UInt32(order.count)
                order.append(row)
            }
            return numbers[Int(row)]
        }
        for place in rows.indices { rows[place] = number(rows[place]) }
        if order.count < count { for row in 0..<UInt32(count) { _ = number(row) } }
        return order.indices.allSatisfy { order[$0] == UInt32($0) } ? nil : order
    }

    /// Returns the positions of the links of the owner at a position.
    subscript(place: Int) -> Range<Int> { starts[place]..<starts[place + 1] }
}

/// The positions of distinct keys in a list: a table over their range if that is small, otherwise a dictionary.
struct KeyPlaces {
    private var first: Int64 = 0
    private var table: [Int32] = []
    private var places: [RowKey: Int] = [:]

    init(_ keys: [Int64]) {
        if let (range, span) = DistinctKeys.span(of: keys), span < Int64(keys.count) * 8 + 1024 {
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
