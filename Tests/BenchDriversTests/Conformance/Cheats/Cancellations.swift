import BenchHarness
import ForwardingDriver

/// Reports progress of a fetch that is to be cancelled, and reads nothing.
final class Pretending: ForwardingSession {
    private struct Nothing: FetchedRecords {
        let count = 0
        func digest(_ positions: Range<Int>, into digester: inout RecordDigester) {}
    }

    private let progress: Int

    init(_ base: any StoreSession, progress: Int) {
        self.progress = progress
        super.init(base)
    }

    override func fetchAsynchronously(_ work: FetchWork, monitor: PhaseMonitor) throws -> any FetchedRecords {
        guard work.cancelAfterRecords != nil else { return try super.fetchAsynchronously(work, monitor: monitor) }
        monitor.onCancel {}
        monitor.progress(progress)
        monitor.completed()
        monitor.delivered()
        return Nothing()
    }
}

/// Does the whole fetch in silence.
final class Uncancellable: ForwardingSession {
    override func fetchAsynchronously(_ work: FetchWork, monitor: PhaseMonitor) throws -> any FetchedRecords {
        let fetched = try super.fetchAsynchronously(work, monitor: PhaseMonitor())
        monitor.completed()
        monitor.delivered()
        return fetched
    }
}

/// Finds a part of the records once a fetch was cancelled.
final class Exhausted: ForwardingSession {
    private var hasFetched = false

    override func fetchAsynchronously(_ work: FetchWork, monitor: PhaseMonitor) throws -> any FetchedRecords {
        var work = work
        if hasFetched { work.limit = 100 }
        hasFetched = true
        return try super.fetchAsynchronously(work, monitor: monitor)
    }
}
