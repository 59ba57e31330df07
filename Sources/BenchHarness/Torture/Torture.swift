import Foundation

/// Runs the loads of a scenario on one store again and again, in processes that are killed and stopped at random, and
/// proves after each round that no acknowledged write was lost.
public final class Torture {
    private var request: TortureRequest
    private var shared: SharedTorture?
    /// The folder of the stores, which may be another shard's.
    private var stores: URL?
    /// The last verdict on what all shards did.
    private var verdict: TortureVerdict?
    private let interruption: Interruption
    private let onRound: (TortureReport) -> Void
    private let clock = MonotonicClock()

    /// Creates a torture run. `onRound` receives the report so far after each round.
    public init(
        _ request: TortureRequest, interruption: Interruption, onRound: @escaping (TortureReport) -> Void
    ) {
        self.request = request
        self.interruption = interruption
        self.onRound = onRound
    }

    /// Tortures one driver after another. Blocks; do not call it on the main thread, whose queue drivers may use.
    public func run() throws -> TortureOutcome {
        // The folder is visible, because it is kept after a failure.
        let folder = try ScratchFolder(in: request.storeParent, name: "bench-torture-" + ScratchFolder.tag())
        var outcome = TortureOutcome()
        defer { shared?.end() }
        do {
            try arrive(in: folder.url)
            for driver in request.drivers where !isOver { try run(driver, in: folder.url, &outcome.reports) }
            shared?.finish()
        } catch {
            shared?.leave(because: error.reason)
            // What was found before is not lost with the error.
            guard let last = outcome.reports.indices.last, !outcome.reports.allSatisfy(\.problems.isEmpty) else {
                throw abandon(folder, because: error, after: outcome.reports)
            }
            outcome.reports[last].add(faults: ["\(error)"])
        }
        outcome.seed = request.seed
        outcome.stoppedShards = verdict?.stopped ?? []
        outcome.isInterrupted = interruption.isRequested || !outcome.stoppedShards.isEmpty
        if outcome.reports.allSatisfy(\.problems.isEmpty) {
            folder.remove()
        } else {
            outcome.keptFolder = folder.url
        }
        return outcome
    }

    /// Removes what an error leaves behind, but for journals of which no other shard knows.
    ///
    /// - Returns: The error, which tells where they are.
    private func abandon(
        _ folder: ScratchFolder, because error: any Error, after reports: [TortureReport]
    ) -> any Error {
        guard shared?.isFirst == false else {
            folder.remove(with: request.drivers)
            return error
        }
        if reports.isEmpty {
            folder.remove()
            return error
        }
        return RunError(.meeting, "\(error.reason); the journals of this shard are kept in \(folder.url.path)")
    }

    /// Waits for the other shards, if there are some, and takes the seed and the folder of the first one.
    private func arrive(in folder: URL) throws {
        guard let sharing = request.sharing else { return }
        let shared = try SharedTorture(sharing, drivers: request.drivers)
        self.shared = shared
        let (seed, stores) = try shared.arrive(request, in: folder)
        (request.seed, request.scenario.seed, self.stores) = (seed, seed, stores)
    }

    /// Whether no further store is tortured. What one shard is asked, all do.
    private var isOver: Bool { shared == nil ? interruption.isRequested : verdict?.next == .end }

    private func run(_ driver: any StoreDriver, in folder: URL, _ reports: inout [TortureReport]) throws {
        var report = TortureReport(driver: driver.name)
        defer { reports.append(report) }
        let start = clock.now()
        let groups = request.task.groups(of: request.scenario, for: driver)
        for (index, group) in groups.enumerated() where !isOver && report.problems.isEmpty {
            let name = groups.count == 1 ? driver.name : "\(driver.name)-\(index + 1)"
            try run(driver, group, share: groups.count, in: folder.appendingPathComponent(name), from: start, &report)
        }
        if shared == nil { report.nanoseconds = clock.now() - start }
    }

    /// Tortures one store until an error occurs or the limit is reached.
    private func run(
        _ driver: any StoreDriver, _ group: TortureGroup, share: Int, in folder: URL, from start: Int,
        _ report: inout TortureReport
    ) throws {
        let store = stores.map { $0.appendingPathComponent(folder.lastPathComponent) } ?? folder
        var rounds = try TortureRounds(request, driver, group, in: folder, stores: store, interruption)
        if let shared { return try run(&rounds, share: share, from: start, with: shared, &report) }
        try rounds.makeStore(&report)
        let begin = clock.now()
        while !interruption.isRequested, report.problems.isEmpty, !isEnough(rounds.count, since: begin, share: share) {
            try rounds.run(&report)
            report.nanoseconds = clock.now() - start
            onRound(report)
        }
        try rounds.end(&report)
    }

    /// Does the same as all other shards do, until the first one decides that it is enough.
    private func run(
        _ rounds: inout TortureRounds, share: Int, from start: Int, with shared: SharedTorture,
        _ report: inout TortureReport
    ) throws {
        shared.begin()
        try rounds.makeStore(&report, with: shared)
        let begin = clock.now()
        var next = TortureVerdict.Next.round
        while next == .round {
            shared.begin()
            let verdict = try rounds.run(&report, with: shared, since: start) {
                isEnough($0, since: begin, share: share)
            }
            (self.verdict, next) = (verdict, verdict.next)
            onRound(report)
        }
        guard shared.isFirst else { return }
        let found = report.faults
        try rounds.end(&report)
        // The others do not know of it, and would go on.
        if report.faults > found {
            throw RunError(
                .process, "the store of \(report.driver) cannot be removed, as its last fault says; remove it by hand")
        }
    }

    private func isEnough(_ rounds: Int, since begin: Int, share: Int) -> Bool {
        switch request.limit {
        case .rounds(let limit): rounds >= limit
        case .seconds(let seconds): Double(clock.now() - begin) / 1e9 >= seconds / Double(share)
        }
    }
}
