import Dispatch

extension PageWork: PhaseWork, SingleWork {
    var modeName: String { by.rawValue }
    var capabilities: [Capability] { [.paging] }
    var changesStore: Bool { false }
    var decidingAttributes: [String]? { sort.map(\.key) }

    /// The number of records of a page stays as it is: that of a screen does not depend on the store.
    func scaled(_ scale: Scaling) -> Self { self }

    func queue(of session: any PagingSession) -> DispatchQueue { session.queue }

    func prepare(_ session: any PagingSession, _ scenario: Scenario) throws -> PageReading {
        PageReading(self, scenario.entity, scenario.schema.targets(of: scenario.focus, seed: scenario.seed))
    }

    func perform(
        _ session: any PagingSession, _ reading: PageReading, _ scenario: Scenario, _ monitor: PhaseMonitor
    ) throws -> (any FetchedRecords)? {
        let queue = session.queue
        var isOver = false
        while !isOver {
            let request = reading.next
            let count = try monitor.operation {
                let page = try session.page(request.fetch, offset: request.offset)
                try page.perform(on: queue) { try page.digest(into: &reading.digester) }
                return page.count
            }
            // A full page may be the last: only the next one tells.
            isOver = count < pageSize || reading.isStuck(after: count)
        }
        return nil
    }

    func apply(to expected: inout ExpectedStore, _ reading: PageReading, _ scenario: Scenario) -> Int? {
        reading.digester.digest.count
    }

    func problems(_ outcome: PhaseOutcome, _ reading: PageReading) throws -> [String] {
        if let problem = reading.problem { return [problem] }
        let whole = FetchWork(mode: .sync, sort: sort, filter: filter)
        return outcome.expected.expectation(for: whole).discrepancy(in: reading.digester).map { [$0] } ?? []
    }
}

/// The pages so far.
final class PageReading {
    /// Takes the records of all pages, and keeps the sort keys of the last.
    var digester: RecordDigester
    /// Why there is no next page; nil if nothing is wrong.
    private(set) var problem: String?
    private let work: PageWork
    private let type: FieldType
    private var before = 0
    private var lastKey: FieldValue?

    init(_ work: PageWork, _ entity: EntitySpec, _ targets: [TargetValues]) {
        self.work = work
        digester = RecordDigester(sort: work.sort, entity: entity, targets: targets)
        type = entity.attributes.first { $0.name == work.sort.last?.key }?.type ?? .int64
    }

    /// The fetch of the next page, and the number of records that it leaves out.
    var next: (fetch: FetchWork, offset: Int) {
        var fetch = FetchWork(mode: .sync, sort: work.sort, filter: work.filter, limit: work.pageSize)
        guard work.by == .key else { return (fetch, before) }
        if let lastKey, let key = work.sort.last {
            let after = FilterSpec.compare(key: key.key, key.ascending ? .greater : .less, lastKey)
            fetch.filter = work.filter.map { .and([$0, after]) } ?? after
        }
        return (fetch, 0)
    }

    /// Notes a page. Returns whether the next would not come after it: then a wrong store would go on for ever.
    func isStuck(after count: Int) -> Bool {
        before += count
        let key = digester.lastKeys?.last.map(typed)
        defer { lastKey = key }
        if digester.digest.count == before, digester.isOrdered, key != lastKey { return false }
        problem = "the page of \(count) records that ends at record \(before) does not go on from the one before"
        return true
    }

    /// A date is read as its seconds.
    private func typed(_ value: FieldValue) -> FieldValue {
        if case .double(let seconds) = value, type == .date { return .date(seconds) }
        return value
    }
}
