import Dispatch

extension ReopenWork: OpeningWork {
    var modeName: String { cache.rawValue }
    var capabilities: [Capability] { [.fetching] }
    var changesStore: Bool { false }
    var decidingAttributes: [String]? { sort.map(\.key) }
    var startsCold: Bool { cache == .cold }

    func scaled(_ scale: Scaling) -> Self {
        var work = self
        work.limit = scale.count(limit)
        return work
    }

    /// Opening and fetching is one operation. There is no queue to observe before the store is open.
    func run(
        opening open: () throws -> any StoreSession, in setting: PhaseSetting, expected: inout ExpectedStore,
        report: inout ReportDraft
    ) throws -> [String] {
        let clock = setting.instruments.clock
        var measurement = PhaseMeasurement()
        measurement.followsLogs = setting.verifies
        var walk = RecordWalk(.everything)
        let queue = DispatchQueue(label: "bench.reopening")
        let (session, handedOver) = try measurement.measure(
            nil, queue: queue, in: setting.directory, with: setting.instruments
        ) { _ in
            let start = clock.now()
            let session = try open()
            report.outsideClock.opening = clock.now() - start
            let able = try session.offering((any FetchingSession).self)
            let fetched = try able.fetch(fetch, monitor: PhaseMonitor())
            try walk.read(fetched, on: session.queue)
            return (session, HandedOver(fetched))
        }
        measurement.stalls = QueueStalls()
        measurement.counters = try session.counters()
        guard setting.verifies else {
            report.note(measurement, records: nil)
            return []
        }
        let children = setting.awaitWork(after: measurement, of: session, &report)
        let cold = startsCold ? coldStart(measurement) : nil
        return try children
            + setting.conclude(
                measurement, of: session, handedOver, walk, records: handedOver.records?.count, cold: cold,
                expected: &expected, report: &report
            ) { try fetch.problems($0, ()) }
    }

    /// A fetch of some records may read any part of the store, but opening a store reads at least its first page.
    private func coldStart(_ measurement: PhaseMeasurement) -> ColdStart {
        ColdStart(
            read: measurement.readBytes, store: measurement.files?.totalBytes, isWhole: filter == nil && limit == 0)
    }
}
