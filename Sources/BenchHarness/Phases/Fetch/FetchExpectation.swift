/// The expected result of a fetch: the number of records, their values, and their order.
///
/// ```swift
/// var digester = expectation.makeDigester()
/// try fetched.digest(into: &digester)
/// let verdict = expectation.discrepancy(in: digester)  // nil: all is well
/// ```
///
/// If the order is total, the right set of records in sorted order is the right sequence, so no digest of the sequence
/// is needed. If it is not, records with equal sort keys may come in any order. If a limit cuts through such records,
/// the store may choose among them, and every choice passes.
public struct FetchExpectation: Sendable {
    /// The number of records.
    public let count: Int
    /// The digest of the records, to be compared by `unordered`; nil if a limit leaves a choice.
    public let digest: RecordDigest?

    private let sort: [SortSpec]
    private let entity: EntitySpec
    /// The records by whose values others are sorted.
    private let targets: [TargetValues]
    /// The records that the result must include if a limit leaves a choice.
    private let certain: RecordDigest
    /// The number of occurrences of each hash among the records that may fill the rest.
    private let eligible: [UInt64: Int]

    private init(
        count: Int, digest: RecordDigest?, sort: [SortSpec], entity: EntitySpec, targets: [TargetValues],
        certain: RecordDigest, eligible: [UInt64: Int]
    ) {
        self.count = count
        self.digest = digest
        self.sort = sort
        self.entity = entity
        self.targets = targets
        self.certain = certain
        self.eligible = eligible
    }

    /// Returns a digester for the fetched records.
    public func makeDigester() -> RecordDigester {
        RecordDigester(sort: sort, entity: entity, targets: targets, keepingHashes: digest == nil)
    }

    /// Returns what is wrong with the records that `digester` saw, in words; nil if all is well.
    public func discrepancy(in digester: RecordDigester) -> String? {
        if digester.digest.count != count {
            return "\(digester.digest.count) records were fetched; expected \(count)"
        }
        if !hasRightRecords(digester) {
            return "the \(count) records fetched differ from those expected, or hold other values"
        }
        if let index = digester.firstMisplaced { return "record \(index) of the result is out of order" }
        return nil
    }

    private func hasRightRecords(_ digester: RecordDigester) -> Bool {
        if let digest { return digester.digest.unordered == digest.unordered }
        guard let hashes = digester.hashes else { return false }
        var remaining = eligible
        var others = RecordDigest()
        for hash in hashes {
            if let left = remaining[hash], left > 0 { remaining[hash] = left - 1 } else { others.append(hash) }
        }
        return others.count == certain.count && others.unordered == certain.unordered
    }
}

// MARK: - Making

extension FetchExpectation {
    init(_ fetch: FetchWork, in store: ExpectedStore) {
        let entity = store.generator.entity
        let targets = store.targets
        if fetch.filter == nil, fetch.limit == 0, fetch.attributes == nil, fetch.follow == nil {
            self.init(everythingIn: store, sort: fetch.sort)
            return
        }
        let filter = fetch.filter.map { RecordFilter($0, in: store) }
        let order = RecordOrder(fetch.sort, entity: entity, targets: targets)
        let boundary = fetch.limit == 0 ? nil : store.lastKeys(within: fetch.limit, order, filter)
        let part = entity.keeping(fetch.attributes)
        let shape = ResultShape(fetch, in: store)
        var certain = RecordDigester()
        var tied = RecordDigester(sort: [], entity: part, keepingHashes: true)
        store.forEachRecord(matching: filter) { record, ordinal in
            switch boundary.map({ order.order(order.keys(of: record), $0) }) {
            case nil, .less: certain.addRecord(shape.result(of: record, ordinal))
            case .equal: tied.addRecord(shape.result(of: record, ordinal))
            case .greater: break
            }
        }
        self.init(fetch, part, targets: targets, certain: certain, tied: tied)
    }

    /// Creates the expectation of the most common fetch, whose digest the store remembers.
    private init(everythingIn store: ExpectedStore, sort: [SortSpec]) {
        let digest = store.digest()
        self.init(
            count: digest.count, digest: digest, sort: sort, entity: store.generator.entity,
            targets: store.targets, certain: digest, eligible: [:])
    }

    private init(
        _ fetch: FetchWork, _ entity: EntitySpec, targets: [TargetValues], certain: RecordDigester,
        tied: RecordDigester
    ) {
        let hashes = tied.hashes ?? []
        let found = certain.digest.count + hashes.count
        let count = fetch.limit == 0 ? found : min(fetch.limit, found)
        var all = certain.digest
        for hash in hashes { all.append(hash) }
        self.init(
            count: count, digest: count == found ? all : nil, sort: fetch.sort, entity: entity, targets: targets,
            certain: certain.digest, eligible: Dictionary(hashes.map { ($0, 1) }, uniquingKeysWith: +))
    }
}

extension ExpectedStore {
    /// Returns the sort keys of the last record within a limit; nil if there are no more records than that. Keeps at
    /// most a few times `limit` records' keys: it sorts and cuts them whenever they exceed that.
    func lastKeys(within limit: Int, _ order: RecordOrder, _ filter: RecordFilter?) -> [FieldValue]? {
        var kept: [[FieldValue]] = []
        var last: [FieldValue]?
        func cut() {
            kept.sort { order.order($0, $1) == .less }
            if kept.count > limit { kept.removeSubrange(limit...) }
            last = kept.count == limit ? kept.last : nil
        }
        forEachRecord(matching: filter) { record in
            let keys = order.keys(of: record)
            if let last, order.order(keys, last) != .less { return }
            kept.append(keys)
            if kept.count >= limit + max(limit, 1_024) { cut() }
        }
        cut()
        return last
    }
}

/// The shape of a fetched record: some of its attributes, and what the fetch follows a relationship to.
private struct ResultShape {
    private let kept: [Int]
    private let related: Related

    /// The records that a relationship leads to.
    private enum Related {
        case none
        /// The attributes of one, whose number is the value of the attribute at a position.
        case one(at: Int, (Int) -> [FieldValue])
        /// The digests of several, by the number of the record.
        case many([Int64: RecordDigest], isOrdered: Bool)
    }

    init(_ fetch: FetchWork, in store: ExpectedStore) {
        let entity = store.generator.entity
        kept = entity.keeping(fetch.attributes).attributes.compactMap { entity.index(of: $0.name) }
        guard let follow = fetch.follow else {
            related = .none
            return
        }
        if let toOne = entity.toOnes.firstIndex(where: { $0.relationship == follow.relationship }) {
            related = .one(at: entity.toOneAttributes.lowerBound + toOne) { store.target(toOne, $0) }
        } else {
            related = .many(
                store.groups(of: follow.relationship), isOrdered: store.keepsOrder(follow.relationship))
        }
    }

    func result(of record: [FieldValue], _ ordinal: Int) -> [FieldValue] {
        let own = kept.map { record[$0] }
        switch related {
        case .none: return own
        case .one(let attribute, let target):
            guard case .int64(let number) = record[attribute] else { return own }
            return own + target(Int(number))
        case .many(let groups, let isOrdered):
            let number = Int64(ordinal) + 1
            let group = groups[number] ?? RecordDigest()
            let hash = isOrdered ? group.ordered : group.unordered
            return own + [.int64(number), .int64(Int64(group.count)), .int64(Int64(bitPattern: hash))]
        }
    }
}

extension RecordOrder {
    /// The sort keys of a record, the most significant first.
    func keys(of record: [FieldValue]) -> [FieldValue] {
        attributes.indices.map { key($0, record[attributes[$0]]) }
    }
}
