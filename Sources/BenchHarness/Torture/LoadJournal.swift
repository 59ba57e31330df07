import Foundation

/// One line of a worker's journal.
enum JournalEntry: Equatable {
    /// The worker is about to begin this operation. Of changes that are the scenario's own, only that they are is kept.
    case intent(LoadOperation, start: Int)
    /// The store has acknowledged it.
    case acknowledged(end: Int)
    /// The store refused it, and nothing was written.
    case refused
    /// It failed with an unexpected error, so whether it was done is unknown.
    case failed(end: Int, reason: String)
}

/// What a worker writes down around each operation that changes the store, so that it is known even of a worker that
/// was killed.
///
/// What `write` has taken is the kernel's and outlives the process; nothing is buffered in between. A worker has a file
/// of its own, so that a line that was cut off is the last one.
final class LoadJournal {
    private let file: FileHandle

    /// Creates the file.
    init(_ url: URL) throws(RunError) {
        let descriptor = open(url.path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o644)
        guard descriptor >= 0 else {
            throw RunError(.output, "cannot create \(url.path): \(String(cString: strerror(errno)))")
        }
        file = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
    }

    /// Adds a line, and returns when the kernel has it.
    func write(_ entry: JournalEntry) throws { try write(line: entry.line) }

    func write(line: String) throws { try file.write(contentsOf: Data((line + "\n").utf8)) }
}

/// Does what another worker does, and keeps a journal of it.
final class JournalingWorker: LoadWorker {
    private let base: any LoadWorker
    private let journal: LoadJournal
    private let clock: any NanosecondClock
    private let onAcknowledged: () -> Void

    /// - Parameter onAcknowledged: Called after each write that was acknowledged.
    init(
        _ base: any LoadWorker, journal: LoadJournal, clock: any NanosecondClock,
        onAcknowledged: @escaping () -> Void
    ) {
        self.base = base
        self.journal = journal
        self.clock = clock
        self.onAcknowledged = onAcknowledged
    }

    func perform(_ operation: LoadOperation) throws -> LoadOutcome {
        guard operation.writes else { return try base.perform(operation) }
        try journal.write(.intent(operation, start: clock.now()))
        do {
            let outcome = try base.perform(operation)
            try journal.write(outcome == .done ? .acknowledged(end: clock.now()) : .refused)
            if outcome == .done { onAcknowledged() }
            return outcome
        } catch {
            try journal.write(.failed(end: clock.now(), reason: "\(error)"))
            throw error
        }
    }

    func close() throws { try base.close() }
}
