import Foundation
import Locking

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
                outcome.reports.append(try run(driver, in: folder.url))
            }
        } catch {
            folder.remove()
            throw error
        }
        outcome.isInterrupted = interruption.isRequested
        if outcome.reports.allSatisfy(\.problems.isEmpty) {
            folder.remove()
        } else {
            outcome.keptFolder = folder.url
        }
        return outcome
    }

    private func run(_ driver: any StoreDriver, in folder: URL) throws -> TortureReport {
        var report = TortureReport(driver: driver.name)
        let start = clock.now()
        let groups = request.isRelated ? [.related] : TortureGroup.all(of: request.scenario, for: driver)
        for (index, group) in groups.enumerated() where !interruption.isRequested && report.problems.isEmpty {
            let name = groups.count == 1 ? driver.name : "\(driver.name)-\(index + 1)"
            try run(driver, group, share: groups.count, in: folder.appendingPathComponent(name), from: start, &report)
        }
        report.nanoseconds = clock.now() - start
        return report
    }

    /// Tortures one store until an error occurs or the limit is reached.
    private func run(
        _ driver: any StoreDriver, _ group: TortureGroup, share: Int, in folder: URL, from start: Int,
        _ report: inout TortureReport
    ) throws {
        var job = TortureJob(
            scenario: request.scenario, phase: group.phases[0], driver: driver.name, lane: 0, seconds: 0,
            store: folder.appendingPathComponent("store").path,
            journals: folder.appendingPathComponent("journals").path, parent: getpid(), isRelated: request.isRelated)
        var store: any TorturedSubject =
            request.isRelated
            ? try TorturedRelations(job, driver: driver) : try TorturedStore(job, group, driver: driver)
        try store.seed()
        var plan = TorturePlan(processes: request.processes, seed: request.seed)
        let begin = clock.now()
        var rounds = 0
        while !interruption.isRequested, report.problems.isEmpty, !isEnough(rounds, since: begin, share: share) {
            job.phase = group.phases[rounds % group.phases.count]
            let deaths = try run(plan.round(), job)
            report.add(deaths)
            store.add(deaths)
            if store.isDue { store.audit(&report) }
            rounds += 1
            report.nanoseconds = clock.now() - start
            onRound(report)
        }
        if store.isUnchecked { store.audit(&report) }
    }

    private func isEnough(_ rounds: Int, since begin: Int, share: Int) -> Bool {
        switch request.limit {
        case .rounds(let limit): rounds >= limit
        case .seconds(let seconds): Double(clock.now() - begin) / 1e9 >= seconds / Double(share)
        }
    }

    /// Runs the processes of a round, those of each lane on their own thread.
    private func run(_ places: [[TorturedLife]], _ job: TortureJob) throws -> [TortureDeath] {
        let lane = TortureLane(job: job, command: request.workerCommand, interruption: interruption)
        let results = Locked<[Result<[TortureDeath], any Error>]>([])
        let over = DispatchGroup()
        for lives in places {
            over.enter()
            Thread {
                let result = Result { try lane.run(lives) }
                results.withLock { $0.append(result) }
                over.leave()
            }.start()
        }
        over.wait()
        return try results.value.flatMap { try $0.get() }
    }
}
