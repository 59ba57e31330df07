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

    init(
        _ request: TortureRequest, _ driver: any StoreDriver, _ group: TortureGroup, in folder: URL,
        _ interruption: Interruption
    ) throws {
        (self.request, self.group, self.interruption) = (request, group, interruption)
        let job = TortureJob(
            scenario: request.scenario, phase: group.phases[0], driver: driver.name, lane: 0, seconds: 0,
            store: folder.appendingPathComponent("store").path,
            journals: folder.appendingPathComponent("journals").path, parent: getpid(), isRelated: request.isRelated)
        self.job = job
        plan = TorturePlan(processes: request.processes, seed: request.seed)
        store =
            request.isRelated
            ? try TorturedRelations(job, driver: driver) : try TorturedStore(job, group, driver: driver)
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
        for index in deaths.indices { try deaths[index].read(job, settled: settled) }
        report.add(deaths, wasAway: wasAway)
        store.add(deaths)
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
    private mutating func audit(_ report: inout TortureReport) throws {
        while true {
            try note(isAway: server?.begin() ?? false, &report)
            var (audited, result) = (store, report)
            audited.audit(&result)
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
            "the server of \(job.driver) went away, and with synchronous=off it may lose writes that it has "
                + "acknowledged; so an audit would say nothing; torture a scenario with synchronous=normal")
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
