import Foundation

/// Inspects the store under test.
struct StoreWitness: Sendable {
    let driver: any StoreDriver
    let configuration: StoreConfiguration
    /// Seeds the values of the records.
    let seed: UInt64
    /// The program and arguments of a process that inspects; empty to inspect in this process.
    let command: [String]

    /// The inspector that the driver declares; nil if it leaves the inspection to its sessions.
    var inspector: (any StoreInspector)? { driver.inspector(of: configuration) }

    /// Inspects the store as its files hold it now, in a process that knows nothing of the session. `session` inspects
    /// the store of a driver without an inspector.
    func inspect(_ session: any StoreSession) throws -> StoreInspection {
        guard let inspector else { return try StoreInspection(by: session) }
        return try command.isEmpty ? StoreInspection(by: inspector) : inspectInNewProcess()
    }

    private func inspectInNewProcess() throws -> StoreInspection {
        let job = InspectionJob(
            driver: driver.name, directory: configuration.directory, schema: configuration.schema,
            options: configuration.options, seed: seed, parent: getpid())
        let child = try ChildProcess(command, input: JSONEncoder().encode(job))
        let line = try child.nextLine()
        let failure = child.wait {}
        guard failure == nil, let line else {
            throw RunError(.process, "the process that inspects the store \(failure ?? "ended without an answer")")
        }
        switch try JSONDecoder().decode(InspectionReply.self, from: line) {
        case .found(let inspection): return inspection
        case .failed(let reason): throw RunError(.phase, "the store cannot be inspected: \(reason)")
        }
    }
}

/// What a process is to inspect.
private struct InspectionJob: Codable {
    var driver: String
    var directory: URL
    var schema: Schema
    var options: StoreOptions
    var seed: UInt64
    var parent: Int32
}

/// What the process found.
private enum InspectionReply: Codable {
    case found(StoreInspection)
    case failed(String)
}

/// The process that inspects a store: it reads a job from standard input and reports over a pipe.
public struct InspectionWorker {
    private let drivers: [any StoreDriver]

    /// Creates a worker that can inspect the stores of `drivers`.
    public init(drivers: [any StoreDriver]) {
        self.drivers = drivers
    }

    /// Runs the job.
    public func run() throws {
        let job = try ChildProcess.job(InspectionJob.self)
        ChildProcess.dieWithParent(job.parent)
        let channel = ChildProcess.channelToParent()
        try channel.write(contentsOf: JSONEncoder().encode(reply(to: job)) + Data("\n".utf8))
    }

    private func reply(to job: InspectionJob) -> InspectionReply {
        do {
            return .found(try StoreInspection(by: inspector(for: job)))
        } catch {
            return .failed(error.reason)
        }
    }

    private func inspector(for job: InspectionJob) throws -> any StoreInspector {
        let configuration = StoreConfiguration(
            directory: job.directory, schema: job.schema, options: job.options,
            records: RecordGenerator(entity: job.schema.entity.record, seed: job.seed))
        guard let driver = drivers.first(where: { $0.name == job.driver }),
            let inspector = driver.inspector(of: configuration)
        else { throw RunError(.process, "this bench has no driver \(job.driver) that can inspect a store") }
        return inspector
    }
}
