import Foundation

/// The process of one side, as the one that asks sees it.
final class TurnPartner {
    /// Whether the process runs on the core that was wanted.
    let isPinned: Bool
    private let child: ChildProcess
    private let interruption: Interruption
    private let name: String
    /// How long to wait for an answer, in seconds.
    private let patience: Double
    private var isOver = false

    /// What the process says of itself, if that is wanted.
    private(set) var manifest: Manifest?

    /// Starts a side's program, on `core` alone where there is one, and tells it what it is to do.
    init(
        _ request: PairedRequest, _ side: Side, job: RepetitionJob, core: Int?, wantsManifest: Bool,
        interruption: Interruption
    ) throws {
        let program = request.program(side)
        (child, isPinned) = try Cores.system.pinned(to: core) {
            guard core != nil else { return try ChildProcess(program.command) }
            return try BatchScheduling.during { try ChildProcess(program.command) }
        }
        self.interruption = interruption
        name = "--\(side.rawValue) \(program.title)"
        patience = max(request.patienceSeconds, request.budgetSeconds)
        interruption.watch(child.id)
        do {
            let work = TurnJob(job: job, commandLine: request.commandLine, wantsManifest: wantsManifest)
            guard case .ready(let manifest) = try ask(work) else { throw confusion }
            self.manifest = manifest
        } catch {
            kill()
            throw error
        }
    }

    func rehearse() throws -> [PhaseReport] {
        guard case .rehearsed(let reports) = try ask(.rehearse) else { throw confusion }
        return reports
    }

    /// Has all `partners` restore their stores, at the same time: most of that is waiting for storage.
    static func restore(_ partners: [TurnPartner]) throws {
        for partner in partners { try partner.send(TurnRequest.restore) }
        for partner in partners {
            guard case .restored = try partner.reply() else { throw partner.confusion }
        }
    }

    /// Has all `partners` do a turn, at once.
    static func turns(
        _ partners: [TurnPartner], at phase: Int, seed: UInt64, verifies: Bool
    ) throws -> [Turn] {
        for partner in partners {
            try partner.send(TurnRequest.turn(phase: phase, seed: seed, verifies: verifies))
        }
        return try partners.map { partner in
            guard case .turn(let turn) = try partner.reply() else { throw partner.confusion }
            return turn
        }
    }

    func turn(at phase: Int, seed: UInt64) throws -> Turn {
        try Self.turns([self], at: phase, seed: seed, verifies: false)[0]
    }

    /// Has the process close its store and end.
    func end() throws {
        _ = try ask(.end)
        if let how = wait() { throw failure(how) }
    }

    /// Ends the process at once, unless it has ended.
    func kill() {
        guard !isOver else { return }
        child.end()
        _ = wait()
    }

    private func wait() -> String? {
        isOver = true
        return child.wait { [interruption, child] in interruption.forget(child.id) }
    }

    private func ask(_ request: TurnRequest) throws -> TurnReply { try ask(request as any Encodable) }

    private func ask(_ request: any Encodable) throws -> TurnReply {
        try send(request)
        return try reply()
    }

    private func reply() throws -> TurnReply {
        guard let line = try answer() else {
            if interruption.isRequested { throw Interrupted() }
            throw failure(wait() ?? "ended before it had answered")
        }
        guard let reply = try? JSONDecoder().decode(TurnReply.self, from: line) else { throw confusion }
        if case .failed(let reason) = reply { throw RunError(.phase, "\(name): \(reason)") }
        return reply
    }

    private func answer() throws -> Data? {
        do {
            return try child.nextLine(within: patience)
        } catch {
            throw RunError(
                .process, "\(name): the process that takes turns did not answer within \(Int(patience)) s")
        }
    }

    private func send(_ message: any Encodable) throws {
        child.write(try JSONEncoder().encode(message) + Data("\n".utf8))
    }

    private func failure(_ how: String) -> RunError {
        RunError(
            .process,
            "\(name): the process that takes turns \(how); if it is of another version of bench, build both sides anew")
    }

    private var confusion: RunError {
        RunError(
            .process,
            "\(name): the process that takes turns gave an unexpected answer; expected one of this version of bench: "
                + "build both sides anew")
    }
}

/// Thrown by what was stopped.
package struct Interrupted: Error {
    package init() {}
}
