import Foundation
import Locking

/// The rounds on one store: processes use it and are killed, and an audit follows.
struct TortureRounds {
    private let request: TortureRequest
    private let interruption: Interruption
    private let group: TortureGroup
    private var job: TortureJob
    private var plan: TorturePlan
    private var store: any TorturedSubject
    private var server: TorturedServer?
    /// The number of rounds that have ended.
    private(set) var count = 0

    /// - Parameters:
    ///   - folder: The folder of the journals.
    ///   - stores: That of the store, which may be another shard's.
    init(
        _ request: TortureRequest, _ driver: any StoreDriver, _ group: TortureGroup, in folder: URL, stores: URL,
        _ interruption: Interruption
    ) throws {
        (self.request, self.group, self.interruption) = (request, group, interruption)
        let job = TortureJob(
            scenario: request.scenario, phase: group.phases[0], driver: driver.name, lane: 0, seconds: 0,
            store: stores.appendingPathComponent("store").path,
            journals: folder.appendingPathComponent("journals").path, parent: getpid())
        self.job = job
        plan = TorturePlan(
            processes: request.processes, seed: request.seed, shard: request.sharing?.shard ?? .whole)
        store = try request.task.subject(job, group, driver: driver)
        server = driver.server.map { TorturedServer($0, of: job, patience: request.serverPatience, interruption) }
    }

    /// Makes the store, and seeds it.
    mutating func makeStore(_ report: inout TortureReport) throws {
        if let server { (report.place, report.outages) = (server.place, report.outages ?? 0) }
        try server?.makeStore()
        try store.seed()
    }

    /// Runs the processes of the next round, and audits the store if that is due.
    mutating func run(_ report: inout TortureReport) throws {
        job.phase = group.phases[count % group.phases.count]
        try note(isAway: server?.begin() ?? false, &report)
        var deaths = try run(plan.round())
        let wasAway = try server?.settle() ?? false
        try note(isAway: wasAway, &report)
        let settled = server.map { _ in MonotonicClock().now() }
        for index in deaths.indices { try deaths[index].read(job, request.task, settled: settled) }
        let account = TortureAccount(deaths)
        report.add([account], wasAway: wasAway)
        store.add([account])
        count += 1
        if store.isDue { try audit(&report) }
    }

    /// Audits the store if it was not since the last round, and removes it from its server unless something is wrong.
    mutating func end(_ report: inout TortureReport) throws {
        if store.isUnchecked { try audit(&report) }
        guard report.problems.isEmpty, let server else { return }
        do {
            try server.removeStore()
        } catch {
            report.add(faults: ["the store stays in \(server.place): \(error)"])
        }
    }

    /// Audits the store. An audit during which the server goes away says nothing, and begins anew.
    private mutating func audit(
        _ report: inout TortureReport, without unaccounted: UnaccountedLanes = .none
    ) throws {
        while true {
            try note(isAway: server?.begin() ?? false, &report)
            var (audited, result) = (store, report)
            audited.audit(&result, without: unaccounted)
            let isValid = try result.problems.isEmpty || server?.settle() != true
            if isValid { return (store, report) = (audited, result) }
            try note(isAway: true, &report)
        }
    }

    /// Counts how often the server was away.
    ///
    /// - Throws: `RunError` if the server may have lost what it had acknowledged.
    private func note(isAway: Bool, _ report: inout TortureReport) throws(RunError) {
        guard isAway else { return }
        report.outages = (report.outages ?? 0) + 1
        guard request.scenario.store.synchronous == .off else { return }
        throw RunError(
            .process,
            "the server of \(job.driver) was away, and with synchronous=off it may have lost acknowledged writes, so "
                + "that an audit would say nothing; torture a scenario with synchronous=normal")
    }

    /// Runs the processes of a round, those of each lane on their own thread.
    private func run(_ places: [[TorturedLife]]) throws -> [TortureDeath] {
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

// MARK: - Rounds of several shards

extension TortureRounds {
    /// Has the first shard make the store, which the others await.
    mutating func makeStore(_ report: inout TortureReport, with shared: SharedTorture) throws {
        guard !shared.isFirst else {
            try makeStore(&report)
            return try shared.leave("made")
        }
        try FileManager.default.createDirectory(atPath: job.journals, withIntermediateDirectories: true)
        try shared.awaitFirst("made")
    }

    /// Runs the processes of the next round, as all shards do at the same time. The first one audits the store when all
    /// processes of all shards have ended, and decides what is next.
    ///
    /// - Parameters:
    ///   - start: When the torture of the driver began.
    ///   - isEnough: Whether this many rounds are enough; only the first shard is asked.
    mutating func run(
        _ report: inout TortureReport, with shared: SharedTorture, since start: Int, isEnough: (Int) -> Bool
    ) throws -> TortureVerdict {
        job.phase = group.phases[count % group.phases.count]
        let before = try shared.compareClocks()
        // Others may have begun the round before.
        let wasAwayBefore = shared.isFirst ? try server?.begin() ?? false : false
        try note(isAway: wasAwayBefore, &report)
        var deaths = try run(plan.round())
        // A server may go on with what a killed process of any shard asked for.
        let (wasAway, lost) = try awaitQuiet(&report, shared)
        let settled = server.map { _ in MonotonicClock().now() }
        for index in deaths.indices { try deaths[index].read(job, request.task, settled: settled) }
        var account = TortureAccount(deaths)
        account.clock = .between(before, try shared.compareClocks())
        account.isInterrupted = interruption.isRequested
        count += 1
        guard shared.isFirst else {
            let verdict = try shared.verdict(after: account)
            report = verdict.report
            if verdict.isAudited, report.problems.isEmpty { job.removeJournals() }
            return verdict
        }
        let (accounts, losses) = try shared.gather(account, lost)
        report.add(accounts, wasAway: wasAway || wasAwayBefore)
        store.add(accounts)
        report.nanoseconds = MonotonicClock().now() - start
        var verdict = TortureVerdict(report: report, stopped: accounts.filter(\.isInterrupted).map(\.shard))
        verdict.next = !losses.isEmpty || !verdict.stopped.isEmpty ? .end : isEnough(count) ? .store : .round
        try judge(&verdict, losses, shared)
        report = verdict.report
        try shared.leave(verdict)
        return verdict
    }

    /// Waits until no process of any shard does anything to the store.
    ///
    /// - Returns: Whether the server went away meanwhile, and the shards that are lost, with the reason.
    private mutating func awaitQuiet(
        _ report: inout TortureReport, _ shared: SharedTorture
    ) throws -> (wasAway: Bool, lost: [Int: String]) {
        guard shared.isFirst else {
            try shared.leave("ended")
            try shared.awaitFirst("settled")
            return (false, [:])
        }
        let lost = try shared.gatherEnds()
        let wasAway = try server?.settle() ?? false
        try note(isAway: wasAway, &report)
        try shared.leave("settled")
        return (wasAway, lost)
    }

    /// Audits the store if that is due, or if it is the last time.
    private mutating func judge(
        _ verdict: inout TortureVerdict, _ losses: [Int: String], _ shared: SharedTorture
    ) throws {
        guard store.isDue || verdict.next != .round || !verdict.report.problems.isEmpty else { return }
        verdict.report.add(faults: losses.sorted { $0.key < $1.key }.map(\.value))
        let lost = Set(losses.keys)
        try audit(&verdict.report, without: shared.lanes(of: lost))
        if !lost.isEmpty { verdict.report.add(faults: [store.limits(without: lost)]) }
        verdict.isAudited = true
        if verdict.next == .round, !verdict.report.problems.isEmpty { verdict.next = .store }
    }
}
