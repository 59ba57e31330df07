import Foundation

/// The input and the output of a run.
public struct RunRequest: Sendable {
    /// The scenario, already scaled.
    public var scenario: Scenario
    /// The drivers, in the order of the table.
    public var drivers: [any StoreDriver]
    /// The CSV to write; the manifest and the files of percentiles go beside it.
    public var output: URL
    /// Whether existing results may be replaced.
    public var replacesOutput: Bool
    /// The folder for the temporary folder of the stores.
    public var storeParent: URL
    /// The program and arguments that run a repetition in its own process.
    public var workerCommand: [String]
    /// The command line, for the manifest.
    public var commandLine: [String]
    /// The names of the phases to run, with what they go on from; empty for all.
    public var phases: Set<String> = []
    /// When to stop before the scenario's number of repetitions, which is the greatest then; nil runs them all.
    public var stopping: StoppingRule?
    /// The part of the loads that the run does; nil does all of them.
    public var sharing: SharedRunRequest?

    /// Creates a request.
    public init(
        scenario: Scenario, drivers: [any StoreDriver], output: URL, replacesOutput: Bool = false, storeParent: URL,
        workerCommand: [String] = [], commandLine: [String] = []
    ) {
        self.scenario = scenario
        self.drivers = drivers
        self.output = output
        self.replacesOutput = replacesOutput
        self.storeParent = storeParent
        self.workerCommand = workerCommand
        self.commandLine = commandLine
    }
}

/// An event in a run, for observers.
public enum RunEvent: Sendable {
    /// A phase began. `done` is the completed share of the whole run, from 0 to 1, by the numbers of records.
    case phaseStarted(done: Double, driver: String, repetition: Int, phase: String)
    /// The current phase has found this many records.
    case progress(Int)
    /// The figures of the current load in the last interval.
    case sample(LoadSample)
    /// The current phase ended.
    case phaseFinished(ResultRow)
}

/// The result of a run.
public struct RunOutcome: Sendable {
    /// The rows of the CSV.
    public var rows: [ResultRow] = []
    /// Phases that failed, warm-ups included.
    public var failures: [ResultRow] = []
    /// Whether the run was stopped.
    public var isInterrupted = false
    /// Why a run with a ``StoppingRule`` ended; nil for another.
    public var stopping: StoppingOutcome?
    /// The results of the whole load, whose shards all are merged there; nil for another run.
    public var merged: URL?
    /// Its rows.
    public var mergedRows: [ResultRow] = []
    /// By how many seconds the clock of the meeting place is ahead of this machine's time of day; nil for another run.
    public var timeOfDayOffset: Double?
    /// Why the results of all shards could not be merged; nil if they were, or if there is nothing to merge.
    public var mergeFailure: String?
    /// The results of a search for the highest rates, for the manifest.
    var foundRates: [FoundRate] = []
}

/// One run of a scenario: every repetition of every driver, and the files with the results.
///
/// Within a repetition, all drivers run the same phases right after one another, before any of them runs the next ones.
public final class Run {
    let request: RunRequest
    private let executor: any RepetitionExecutor
    let interruption: Interruption
    let onEvent: @Sendable (RunEvent) -> Void
    private let id = ScratchFolder.tag()
    private var shared: SharedRun?
    private var jobs = 0

    /// Creates a run.
    public convenience init(
        _ request: RunRequest, interruption: Interruption, onEvent: @escaping @Sendable (RunEvent) -> Void
    ) {
        let executor: any RepetitionExecutor =
            switch request.scenario.isolation {
            case .process: ChildProcessExecutor(command: request.workerCommand, interruption: interruption)
            case .none:
                InProcessExecutor(drivers: request.drivers, instruments: .platform, interruption: interruption)
            }
        self.init(request, executor: executor, interruption: interruption, onEvent: onEvent)
    }

    init(
        _ request: RunRequest, executor: any RepetitionExecutor, interruption: Interruption,
        onEvent: @escaping @Sendable (RunEvent) -> Void
    ) {
        self.request = request
        self.executor = executor
        self.interruption = interruption
        self.onEvent = onEvent
    }

    /// Runs every repetition. Blocks; do not call it on the main thread, whose queue drivers may use.
    public func run() throws -> RunOutcome { try recordRun(runSteps) }

    /// Creates the files of the run around `body`, which receives the CSV and the folder for stores.
    ///
    /// - Parameter search: What a search for the highest rates is to find, which all shards must mean.
    func recordRun(
        search: RateSearchRequest? = nil, _ body: (RunFiles, URL) throws -> Void
    ) throws -> RunOutcome {
        // First of all, read the state of git: results in git that the run is about to replace are not changes of the
        // program.
        var manifest = Manifest(request, run: id)
        let files = try RunFiles(request)
        let stores = try ScratchFolder(in: request.storeParent, name: ".bench-\(id)")
        defer { stores.remove(with: request.drivers) }
        try manifest.write(beside: request.output)
        shared = try request.sharing.map { try SharedRun($0, drivers: request.drivers, interruption) }
        defer { shared?.end() }
        do {
            try shared?.arrive(request, search, stores: stores.url)
            if let shared {
                // Results of a shard that is killed are merged, too.
                manifest.shard = shared.identity
                try manifest.write(beside: request.output)
            }
            try body(files, shared?.stores ?? stores.url)
        } catch {
            shared?.leave(error.reason)
            throw error
        }
        if interruption.isRequested { files.noteInterruption() }
        manifest.finish(files.outcome)
        manifest.shard = shared?.facts()
        try manifest.write(beside: request.output)
        return try merging(files.outcome, manifest)
    }

    /// Returns the row of a trial, of all shards if there are several.
    ///
    /// - Parameter operations: The figures of the trial in this process.
    func merged(
        _ row: ResultRow?, of job: RepetitionJob, _ operations: [OperationKind: OperationFigures]
    ) throws -> ResultRow? {
        guard let shared, let row, !interruption.isRequested else { return row }
        return try shared.trial(row, operations, of: job)
    }

    /// Hands over the results of a shard; the first one merges those of all.
    private func merging(_ outcome: RunOutcome, _ manifest: Manifest) throws -> RunOutcome {
        guard let shared else { return outcome }
        if outcome.isInterrupted {
            shared.leave("it was stopped")
            return outcome
        }
        var outcome = outcome
        outcome.timeOfDayOffset = manifest.shard?.timeOfDayOffset.map { Double($0) / 1e9 }
        do {
            if let merged = try shared.merge(beside: request.output) {
                (outcome.merged, outcome.mergedRows) = merged
            }
        } catch {
            // The rows tell why, and what is proved nevertheless.
            guard !outcome.failures.isEmpty else { throw error }
            outcome.mergeFailure = error.reason
        }
        return outcome
    }

    private func runSteps(_ files: RunFiles, _ stores: URL) throws {
        let plan = RunPlan(
            scenario: request.scenario, drivers: request.drivers.map(\.name), phases: request.phases)
        // The share of a run whose length is open is not known.
        let all = request.stopping == nil ? plan.rounds.joined().reduce(0) { $0 + $1.weight } : .infinity
        var stopping = request.stopping.map { Stopping($0, clock: MonotonicClock()) }
        var done = 0.0
        for round in plan.rounds where !interruption.isRequested && stopping?.outcome == nil {
            for step in round where !interruption.isRequested {
                let share = step.weight / all
                let job = job(
                    request.scenario.at(variant: step.variant).at(records: step.records), driver: step.driver,
                    repetition: step.repetition,
                    phases: step.phases, directory: directory(of: step, in: stores).path)
                try perform(job, done: done, share: share, files)
                done += share
            }
            stopping?.note(round.first?.repetition ?? 0, of: request.scenario.repetitions, files.outcome.rows)
        }
        files.note(stopping?.outcome)
    }

    /// Returns a driver's folder: each keeps a seeded store of each size from one stretch and repetition to the next,
    /// and one for all variants whose numbers do not change it.
    private func directory(of step: RunPlan.Step, in stores: URL) -> URL {
        var own = stores.appendingPathComponent(step.driver)
        if request.scenario.variants != nil {
            own.appendPathComponent("variant-\(request.scenario.storeVariant(step.variant))")
        }
        return request.scenario.sizes == nil ? own : own.appendingPathComponent("\(step.records)")
    }

    func job(
        _ scenario: Scenario, driver: String, repetition: Int, phases: Range<Int>, directory: String
    ) -> RepetitionJob {
        jobs += 1
        return RepetitionJob(
            run: id, scenario: scenario, driver: driver, repetition: repetition, phases: phases, directory: directory,
            parent: getpid(), sharing: shared?.sharing(job: jobs))
    }

    /// Runs a job and records its results. `done` is the completed share of the run before it, `share` its own
    /// share.
    ///
    /// - Returns: Its rows, unless it was a warm-up.
    @discardableResult func perform(
        _ job: RepetitionJob, done: Double = 0, share: Double = 1, _ files: RunFiles
    ) throws -> ArraySlice<ResultRow> {
        var job = job
        job.fastestCalibration = files.fastestCalibration
        let log = files.log(job, done: done, share: share, onEvent: onEvent)
        let failure: String?
        do {
            failure = try executor.execute(job) { [interruption] event in
                if !log.receive(event) { interruption.request() }
            }
        } catch {
            log.end(nil, isInterrupted: interruption.isRequested)
            throw error
        }
        if let failure { shared?.fail("its process \(failure)", job) }
        log.end(failure, isInterrupted: interruption.isRequested)
        return try files.add(log)
    }
}
