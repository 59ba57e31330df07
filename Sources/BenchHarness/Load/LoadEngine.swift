import Foundation
import Locking

/// Runs the workers of a load and records what they do.
final class LoadEngine: Sendable {
    private let work: LoadWork
    private let scenario: Scenario
    // Unsafe: the threads of the workers share the session, but only to make one worker each.
    nonisolated(unsafe) private let session: any LoadingSession
    private let clock: any NanosecondClock
    private let lane: LoadLane
    private let shard: Shard
    private let seed: UInt64
    private let sampling: TraceSampling?
    private let wrap: @Sendable (any LoadWorker, Int) throws -> any LoadWorker
    private let sequence: InsertSequence
    private let pacer: LoadPacer
    private let recorders: [LoadRecorder]
    private let accounts = Locked<[LoadAccount]>([])
    private let failures = Locked<[String]>([])
    private let workersReady = DispatchGroup()
    private let workersDone = DispatchGroup()
    private let gate = DispatchGroup()

    /// Prepares a load; its clock starts with ``run(sampling:probe:)``.
    ///
    /// - Parameters:
    ///   - shard: The process among those that share the load; its lane is then the shard's.
    ///   - seed: Seeds the choice of operations; nil takes the scenario's seed.
    ///   - sampling: Chooses the records whose reads are traced; nil is for reads that are not judged.
    ///   - wrap: Wraps the worker with an index, so that a companion can observe it.
    init(
        _ work: LoadWork, scenario: Scenario, session: any LoadingSession, clock: any NanosecondClock,
        lane: LoadLane = LoadLane(), shard: Shard = .whole, seed: UInt64? = nil, sampling: TraceSampling? = nil,
        wrap: @escaping @Sendable (any LoadWorker, Int) throws -> any LoadWorker = { worker, _ in worker }
    ) {
        self.work = work
        self.scenario = scenario
        self.session = session
        self.clock = clock
        let lane = shard.isWhole ? lane : shard.lane
        (self.lane, self.shard) = (lane, shard)
        self.seed = seed ?? scenario.seed
        self.sampling = sampling
        self.wrap = wrap
        sequence = InsertSequence(records: scenario.records, first: lane.firstInsert(after: scenario.records))
        pacer = LoadPacer(work.pace, seed: self.seed, clock: clock, shard: shard)
        recorders = (0..<work.workers).map { _ in LoadRecorder() }
    }

    /// Starts a thread for each worker and returns when all of them have opened what they need.
    func makeWorkers() {
        gate.enter()
        for worker in 0..<work.workers {
            workersReady.enter()
            workersDone.enter()
            do {
                try OwnThread.start { [self] in
                    run(worker)
                    workersDone.leave()
                }
            } catch {
                note(Result<Void, any Error>.failure(error), worker)
                workersReady.leave()
                workersDone.leave()
            }
        }
        workersReady.wait()
    }

    /// Starts the workers, and returns when the load is over.
    ///
    /// - Parameter sampling: Receives a sample of the load since the previous sample.
    func run(sampling: (LoadSample) -> Void, probe: LoadProbe) {
        let start = clock.now()
        pacer.begin()
        gate.leave()
        sample(until: workersDone, from: start, sampling, probe)
    }

    /// Has the workers end as soon as the load starts.
    func stop() { pacer.stop() }

    /// Returns the figures of the load and the account of each worker; call it after the load.
    func results(seconds: Double) -> (LoadFigures, [LoadAccount]) {
        (figures(seconds), accounts.value)
    }

    private func figures(_ seconds: Double) -> LoadFigures {
        var figures = LoadFigures(pacer: pacer.figures, seconds: seconds, failures: failures.value)
        for recorder in recorders {
            for (kind, more) in recorder.figures { figures.kinds[kind, default: OperationFigures()].merge(more) }
            figures.retries += recorder.retries
            figures.conflicts += recorder.conflicts
            figures.errorReasons += recorder.errorReasons
        }
        return figures
    }
}

// MARK: - A worker

extension LoadEngine {
    private func run(_ index: Int) {
        if work.pace.rate != nil { TimerSlack.minimal.apply() }
        var account = makeAccount()
        // Before the clock runs: a distribution over a million records takes many milliseconds to prepare.
        var source = makeSource(index)
        let making = Result { try wrap(session.makeLoadWorker(index, work), index) }
        if case .failure = making { pacer.stop() }
        workersReady.leave()
        gate.wait()
        do {
            let worker = try making.get()
            // The first failure is reported first: it may also cause the failure to close.
            let loop = LoadLoop(pacer: pacer, clock: clock, recorder: recorders[index], salt: sampling?.salt ?? 0)
            note(Result { try loop.run(worker, &source, &account) }, index)
            note(Result { try worker.close() }, index)
        } catch {
            note(Result<Void, any Error>.failure(error), index)
        }
        accounts.withLock { $0.append(account) }
    }

    /// Keeps a failure, and stops the load.
    private func note(_ result: Result<Void, any Error>, _ index: Int) {
        guard case .failure(let error) = result else { return }
        pacer.stop()
        failures.withLock { $0.append("worker \(index + 1): \(error)") }
    }

    private func makeSource(_ index: Int) -> LoadSource {
        LoadSource(
            worker: index, work: work, generator: RecordGenerator(entity: scenario.entity, seed: scenario.seed),
            records: scenario.records, sequence: sequence, seed: seed, lane: lane, shard: shard)
    }

    private func makeAccount() -> LoadAccount {
        let entity = scenario.entity
        let trace = sampling.map { sampling in
            LoadTrace(
                seeded: scenario.records, isAscending: RecordIdentity(entity)?.isAscending ?? true, sampling: sampling)
        }
        return LoadAccount(ledger: Ledger(repeating: entity.repeatingAttributes), trace: trace)
    }
}

// MARK: - Samples

extension LoadEngine {
    private func sample(
        until over: DispatchGroup, from start: Int, _ take: (LoadSample) -> Void, _ probe: LoadProbe
    ) {
        var last = start
        let interval = max(work.pace.sampleSeconds, 0.01)
        while over.wait(timeout: .now() + interval) == .timedOut {
            take(sample(from: start, since: &last, probe))
            if work.abortsEarly, isLost(after: clock.now() - start) { pacer.stop() }
        }
        // The rest is a sample too, unless it is too short to be meaningful.
        if Double(clock.now() - last) > interval * 5e8 { take(sample(from: start, since: &last, probe)) }
    }

    private func isLost(after elapsed: Int) -> Bool {
        LoadLimits(limits: work.limits).areLost(with: figures(Double(elapsed) / 1e9))
    }

    private func sample(from start: Int, since last: inout Int, _ probe: LoadProbe) -> LoadSample {
        let now = clock.now()
        defer { last = now }
        var figures = OperationFigures()
        for recorder in recorders { figures.merge(recorder.takeInterval()) }
        var sample = LoadSample()
        sample.seconds = Double(now - start) / 1e9
        sample.intervalSeconds = Double(now - last) / 1e9
        sample.operations = figures.response.count
        sample.latencyP50 = figures.responsePercentile(50)
        sample.latencyP90 = figures.responsePercentile(90)
        sample.latencyP99 = figures.responsePercentile(99)
        sample.latencyMax = figures.responsePercentile(100)
        sample.errors = figures.errors
        sample.dropped = pacer.figures.dropped
        if !shard.isWhole { sample.figures = figures }
        sample.ledgerBytes = recorders.reduce(0) { $0 + $1.ledgerBytes }
        probe.fill(&sample)
        return sample
    }
}

/// Reads memory and file sizes for samples.
struct LoadProbe: Sendable {
    let probe: any MetricProbe
    let directory: URL

    func fill(_ sample: inout LoadSample) {
        let memory = probe.sample()
        sample.residentBytes = memory.residentBytes
        sample.heapBytes = memory.heapBytes
        let files = StoreFiles(in: directory)
        sample.logBytes = files?.logBytes
        sample.databaseBytes = files?.databaseBytes
    }
}
