import BenchHarness
import Dispatch
import ForwardingDriver

/// Feeds blank records when they are first read, and the right ones afterwards.
final class Late: ForwardingSession {
    /// The records that are blank at first.
    enum Blank {
        case everything, oddRecords
    }

    private final class Records: FetchedRecords {
        private let base: any FetchedRecords
        private let blank: Blank
        private var wasRead = false

        init(_ base: any FetchedRecords, blank: Blank) {
            self.base = base
            self.blank = blank
        }

        var count: Int { base.count }

        func digest(_ positions: Range<Int>, into digester: inout RecordDigester) throws {
            // The verification reads all records at once, after another reading.
            let isFirst = !wasRead || positions.count < count
            wasRead = true
            for position in positions {
                if isFirst, blank == .everything || !position.isMultiple(of: 2) {
                    digester.endRecord()
                } else {
                    try base.digest(position..<position + 1, into: &digester)
                }
            }
        }
    }

    private let blank: Blank

    init(_ base: any StoreSession, blank: Blank) {
        self.blank = blank
        super.init(base)
    }

    override func fetch(_ work: FetchWork, monitor: PhaseMonitor) throws -> any FetchedRecords {
        Records(try super.fetch(work, monitor: monitor), blank: blank)
    }

    override func fetchAsynchronously(_ work: FetchWork, monitor: PhaseMonitor) throws -> any FetchedRecords {
        Records(try super.fetchAsynchronously(work, monitor: monitor), blank: blank)
    }

    override func merge(_ plan: MergePlan, monitor: PhaseMonitor) throws -> any FetchedRecords {
        Records(try super.merge(plan, monitor: monitor), blank: blank)
    }
}

/// Fetches when the clock has stopped: what the harness does first then is to read the counters.
final class Background: ForwardingSession {
    private final class Records: FetchedRecords {
        let count: Int
        var base: (any FetchedRecords)?

        init(count: Int) { self.count = count }

        func digest(_ positions: Range<Int>, into digester: inout RecordDigester) throws {
            if let base { return try base.digest(positions, into: &digester) }
            for _ in positions { digester.endRecord() }
        }
    }

    private var pending: (work: FetchWork, records: Records)?

    override func fetch(_ work: FetchWork, monitor: PhaseMonitor) throws -> any FetchedRecords {
        // Nothing is filtered in the phase, so the number of records is no secret.
        let records = Records(count: Scenario.fetches.records)
        pending = (work, records)
        return records
    }

    override func counters() throws -> StoreCounters {
        if let (work, records) = pending {
            pending = nil
            records.base = try super.fetch(work, monitor: PhaseMonitor())
        }
        return try super.counters()
    }
}

/// Fetches when a record is first read.
final class Lazy: ForwardingSession {
    private final class Records: FetchedRecords {
        let count: Int
        private let find: () throws -> any FetchedRecords
        private var base: (any FetchedRecords)?

        init(count: Int, find: @escaping () throws -> any FetchedRecords) {
            self.count = count
            self.find = find
        }

        func digest(_ positions: Range<Int>, into digester: inout RecordDigester) throws {
            let found = try base ?? find()
            base = found
            try found.digest(positions, into: &digester)
        }
    }

    private let own = DispatchQueue(label: "lazy")

    /// The harness reads on this queue, so the queue of the other session is free.
    override var queue: DispatchQueue { own }

    override func fetch(_ work: FetchWork, monitor: PhaseMonitor) throws -> any FetchedRecords { lazy(work) }

    override func fetchAsynchronously(_ work: FetchWork, monitor: PhaseMonitor) throws -> any FetchedRecords {
        monitor.completed()
        monitor.delivered()
        return lazy(work)
    }

    private func lazy(_ work: FetchWork) -> any FetchedRecords {
        var work = work
        work.mode = .sync
        let found = work
        return Records(count: Scenario.fetches.records) { [base] in
            try base.fetch(found, monitor: PhaseMonitor())
        }
    }
}
