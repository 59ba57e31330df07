import BenchHarness
import ForwardingDriver

/// Fetches something else than it is told to.
class Fetching: ForwardingSession {
    private let change: (inout FetchWork) -> Void

    init(_ base: any StoreSession, change: @escaping (inout FetchWork) -> Void) {
        self.change = change
        super.init(base)
    }

    override func fetch(_ work: FetchWork, monitor: PhaseMonitor) throws -> any FetchedRecords {
        try super.fetch(changed(work), monitor: monitor)
    }

    override func fetchAsynchronously(_ work: FetchWork, monitor: PhaseMonitor) throws -> any FetchedRecords {
        try super.fetchAsynchronously(changed(work), monitor: monitor)
    }

    private func changed(_ work: FetchWork) -> FetchWork {
        var work = work
        change(&work)
        return work
    }
}

/// Leaves the last record out, where there are several.
final class Forgetting: ForwardingSession {
    override func fetch(_ work: FetchWork, monitor: PhaseMonitor) throws -> any FetchedRecords {
        var work = work
        work.limit = max(0, try super.fetch(work, monitor: PhaseMonitor()).count - 1)
        return try super.fetch(work, monitor: monitor)
    }

    override func fetchAsynchronously(_ work: FetchWork, monitor: PhaseMonitor) throws -> any FetchedRecords {
        var work = work
        work.limit = max(0, try super.fetch(work, monitor: PhaseMonitor()).count - 1)
        return try super.fetchAsynchronously(work, monitor: monitor)
    }
}

/// Counts a record more than there are.
final class Miscounting: ForwardingSession {
    private struct Records: FetchedRecords {
        let base: any FetchedRecords
        var count: Int { base.count + 1 }
        func digest(_ positions: Range<Int>, into digester: inout RecordDigester) throws {
            try base.digest(positions.clamped(to: 0..<base.count), into: &digester)
        }
    }

    override func fetch(_ work: FetchWork, monitor: PhaseMonitor) throws -> any FetchedRecords {
        Records(base: try super.fetch(work, monitor: monitor))
    }

    override func fetchAsynchronously(_ work: FetchWork, monitor: PhaseMonitor) throws -> any FetchedRecords {
        Records(base: try super.fetchAsynchronously(work, monitor: monitor))
    }
}

/// Takes what it is to be cancelled with, and fetches everything all the same.
final class Unstoppable: ForwardingSession {
    override func fetchAsynchronously(_ work: FetchWork, monitor: PhaseMonitor) throws -> any FetchedRecords {
        monitor.onCancel {}
        let fetched = try super.fetchAsynchronously(work, monitor: PhaseMonitor())
        monitor.progress(fetched.count)
        monitor.completed()
        return fetched
    }
}

/// Fetches, and tells the harness nothing of it.
final class Silent: ForwardingSession {
    override func fetchAsynchronously(_ work: FetchWork, monitor: PhaseMonitor) throws -> any FetchedRecords {
        try super.fetchAsynchronously(work, monitor: PhaseMonitor())
    }
}

/// Runs its completion block on the thread that fetches.
final class DeliveringElsewhere: ForwardingSession {
    override func fetchAsynchronously(_ work: FetchWork, monitor: PhaseMonitor) throws -> any FetchedRecords {
        let fetched = try super.fetchAsynchronously(work, monitor: PhaseMonitor())
        monitor.progress(fetched.count)
        monitor.delivered()
        return fetched
    }
}

/// Gets the record after the one that is asked for, and the first after the last.
final class GettingNext: ForwardingSession {
    override func get(_ ordinal: Int) throws -> any FetchedRecords { try super.get((ordinal + 1) % 301) }
}

/// Begins each page with the first record.
final class PagingFromStart: ForwardingSession {
    override func page(_ work: FetchWork, offset: Int) throws -> any FetchedRecords {
        try super.page(work, offset: 0)
    }
}

/// Finds a page among all records.
final class PagingEverything: ForwardingSession {
    override func page(_ work: FetchWork, offset: Int) throws -> any FetchedRecords {
        var work = work
        work.filter = nil
        return try super.page(work, offset: offset)
    }
}

extension FilterSpec {
    /// The condition with comparisons that heed case.
    var heedingCase: FilterSpec {
        switch self {
        case .ignoringCase(let key, let comparison, let text): .compare(key: key, comparison, .string(text))
        case .not(let part): .not(part.heedingCase)
        default: self
        }
    }
}
