import Foundation

/// Runs the loads of a scenario on one store again and again, in processes that are killed and stopped at random, and
/// proves after each round that no acknowledged write was lost.
public final class Torture {
    private let request: TortureRequest
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
        do {
            for driver in request.drivers where !interruption.isRequested {
                try run(driver, in: folder.url, &outcome.reports)
            }
        } catch {
            // What was found before is not lost with the error.
            guard let last = outcome.reports.indices.last, !outcome.reports.allSatisfy(\.problems.isEmpty) else {
                folder.remove(with: request.drivers)
                throw error
            }
            outcome.reports[last].add(faults: ["\(error)"])
        }
        outcome.isInterrupted = interruption.isRequested
        if outcome.reports.allSatisfy(\.problems.isEmpty) {
            folder.remove()
        } else {
            outcome.keptFolder = folder.url
        }
        return outcome
    }

    private func run(_ driver: any StoreDriver, in folder: URL, _ reports: inout [TortureReport]) throws {
        var report = TortureReport(driver: driver.name)
        defer { reports.append(report) }
        let start = clock.now()
        let groups = request.isRelated ? [.related] : TortureGroup.all(of: request.scenario, for: driver)
        for (index, group) in groups.enumerated() where !interruption.isRequested && report.problems.isEmpty {
            let name = groups.count == 1 ? driver.name : "\(driver.name)-\(index + 1)"
            try run(driver, group, share: groups.count, in: folder.appendingPathComponent(name), from: start, &report)
        }
        report.nanoseconds = clock.now() - start
    }

    /// Tortures one store until an error occurs or the limit is reached.
    private func run(
        _ driver: any StoreDriver, _ group: TortureGroup, share: Int, in folder: URL, from start: Int,
        _ report: inout TortureReport
    ) throws {
        var rounds = try TortureRounds(request, driver, group, in: folder, interruption)
        try rounds.makeStore(&report)
        let begin = clock.now()
        while !interruption.isRequested, report.problems.isEmpty, !isEnough(rounds.count, since: begin, share: share) {
            try rounds.run(&report)
            report.nanoseconds = clock.now() - start
            onRound(report)
        }
        try rounds.end(&report)
    }

    private func isEnough(_ rounds: Int, since begin: Int, share: Int) -> Bool {
        switch request.limit {
        case .rounds(let limit): rounds >= limit
        case .seconds(let seconds): Double(clock.now() - begin) / 1e9 >= seconds / Double(share)
        }
    }
}
