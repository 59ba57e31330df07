import Dispatch

/// Writes the log back into the database.
struct CheckpointWork {}

extension Phase.Work {
    /// Writes the log back into the database.
    public static var checkpoint: Phase.Work { Phase.Work(CheckpointWork()) }
}

extension CheckpointWork: PhaseWork, SingleWork {
    static let kind = PhaseKind(
        "checkpoint", "Writes the log back into the database.", scope: .session, allowsFiles: true
    ) { _, _ in CheckpointWork() }

    var changesStore: Bool { false }
    var capabilities: [Capability] { [.checkpointing] }

    func queue(of session: any CheckpointingSession) -> DispatchQueue { session.queue }

    func perform(
        _ session: any CheckpointingSession, _ preparation: Void, _ scenario: Scenario, _ monitor: PhaseMonitor
    ) throws -> (any FetchedRecords)? {
        try session.checkpoint()
        return nil
    }

    func apply(to expected: inout ExpectedStore, _ preparation: Void, _ scenario: Scenario) -> Int? { nil }

    func problems(_ outcome: PhaseOutcome, _ preparation: Void) throws -> [String] {
        try logProblems(outcome.files) + outcome.storeProblems()
    }

    /// Returns the problem of a checkpoint that left something in the log.
    private func logProblems(_ files: StoreFiles?) -> [String] {
        guard let bytes = files?.logBytes, bytes > 0 else { return [] }
        return ["the log holds \(bytes) bytes after the checkpoint; expected none"]
    }
}

/// A session of a store that keeps a log.
public protocol CheckpointingSession: StoreSession {
    /// Writes the log back into the database and truncates it: a file that ``StoreFiles`` takes for a log must be empty
    /// afterwards. Called while the clock runs.
    func checkpoint() throws
}

extension Capability {
    static let checkpointing = Capability(name: "CheckpointingSession", lack: "it has no log to write back") {
        $0 is any CheckpointingSession.Type
    }
}
