import Foundation

/// The process that takes turns with another: reads what it is asked for from standard input, line by line, and answers
/// over a pipe.
public struct TurnWorker {
    private let drivers: [any StoreDriver]
    private let inspectorCommand: [String]

    /// Creates a worker.
    ///
    /// - Parameters:
    ///   - drivers: The drivers that it can drive.
    ///   - inspectorCommand: The program and arguments of a process that runs an ``InspectionWorker``; empty to inspect
    ///     stores in this process.
    public init(drivers: [any StoreDriver], inspectorCommand: [String] = []) {
        self.drivers = drivers
        self.inspectorCommand = inspectorCommand
    }

    /// Answers until it is asked to end, or its parent is no more.
    public func run() throws {
        let decoder = JSONDecoder()
        let channel = ChildProcess.channelToParent()
        guard let first = readLine() else { return }
        let work = try decoder.decode(TurnJob.self, from: Data(first.utf8))
        ChildProcess.dieWithParent(work.job.parent)
        guard work.version == TurnJob.version else {
            throw RunError(
                .process,
                "this bench takes turns by version \(TurnJob.version) of the messages, the other by \(work.version); "
                    + "build both sides anew")
        }
        guard let driver = drivers.first(where: { $0.name == work.job.driver }) else {
            throw RunError(.process, "this bench has no driver \(work.job.driver)")
        }
        let send = { (reply: TurnReply) in
            try channel.write(contentsOf: JSONEncoder().encode(reply) + Data("\n".utf8))
        }
        // In a large repository, asking git for the state of the working directory takes longer than a launch.
        try send(.ready(work.wantsManifest == false ? nil : work.manifest(driver)))
        var taker = TurnTaker(work.job, driver: driver, inspectorCommand: inspectorCommand)
        while let line = readLine() {
            let request = try decoder.decode(TurnRequest.self, from: Data(line.utf8))
            let reply: TurnReply
            do {
                reply = try Self.answer(request, &taker)
            } catch {
                reply = .failed(error.reason)
            }
            try send(reply)
            if case .end = request { return }
        }
    }

    private static func answer(_ request: TurnRequest, _ taker: inout TurnTaker) throws -> TurnReply {
        switch request {
        case .rehearse: return .rehearsed(try taker.rehearse())
        case .restore, .end:
            if case .end = request { try taker.end() } else { try taker.restore() }
            return .restored
        case .turn(let phase, let seed, let verifies):
            return .turn(try taker.turn(at: phase, seed: seed, verifies: verifies))
        }
    }
}

extension TurnJob {
    /// What is known of this program and this machine.
    fileprivate func manifest(_ driver: any StoreDriver) -> Manifest {
        let folder = URL(fileURLWithPath: job.directory).deletingLastPathComponent()
        return Manifest(
            RunRequest(
                scenario: job.scenario, drivers: [driver], output: folder, storeParent: folder,
                commandLine: commandLine), run: job.run)
    }
}
