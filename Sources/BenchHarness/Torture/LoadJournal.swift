import Foundation

/// One line of a worker's journal.
enum JournalEntry: Equatable {
    /// The worker is about to begin this operation. Of the scenario's own changes, the entry keeps only that they
    /// occur.
    case intent(LoadOperation, start: Int)
    /// The store has acknowledged the operation.
    case acknowledged(end: Int)
    /// The store refused the operation and wrote nothing.
    case refused
    /// The operation failed with an unexpected error, so it is unknown whether it was done.
    case failed(end: Int, reason: String)
}

/// A worker's record of each operation that changes the store, so that the record exists even if the worker is killed.
///
/// The kernel holds what `write` has taken, beyond the life of the process; there is no buffer in between. Each worker
/// has its own file, so that a truncated line is the last one.
package final class LoadJournal {
    private let file: FileHandle
    private let path: String

    /// The pause after a failure, in nanoseconds: until a server that went away is back, each further operation would
    /// only be another one in doubt.
    package static let pause = 100_000_000

    /// Creates the file.
    package init(_ url: URL) throws(RunError) {
        let descriptor = open(url.path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o644)
        guard descriptor >= 0 else {
            throw RunError(.output, "cannot create \(url.path): \(String(cString: strerror(errno)))")
        }
        path = url.path
        file = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
    }

    /// Adds a line, and returns when the kernel has it.
    func write(_ entry: JournalEntry) throws(RunError) { try write(line: entry.line) }

    package func write(line: String) throws(RunError) {
        do {
            try file.write(contentsOf: Data((line + "\n").utf8))
        } catch {
            throw RunError(.output, "cannot write \(path): \(error.reason); --store-dir moves the journals")
        }
    }
}

/// A worker that keeps a journal of another worker's operations.
final class JournalingWorker: LoadWorker {
    private let base: any LoadWorker
    private let journal: LoadJournal
    private let clock: any NanosecondClock
    private let onAcknowledged: () -> Void

    /// - Parameter onAcknowledged: Called after each acknowledged write.
    init(
        _ base: any LoadWorker, journal: LoadJournal, clock: any NanosecondClock,
        onAcknowledged: @escaping () -> Void
    ) {
        self.base = base
        self.journal = journal
        self.clock = clock
        self.onAcknowledged = onAcknowledged
    }

    func perform(_ operation: LoadOperation, reading: inout LoadReading) throws -> LoadOutcome {
        guard operation.writes else { return try base.perform(operation, reading: &reading) }
        try journal.write(.intent(operation, start: clock.now()))
        do {
            let outcome = try base.perform(operation, reading: &reading)
            try journal.write(outcome == .done ? .acknowledged(end: clock.now()) : .refused)
            if outcome == .done { onAcknowledged() }
            return outcome
        } catch {
            try journal.write(.failed(end: clock.now(), reason: "\(error)"))
            LoadPacer.sleep(LoadJournal.pause)
            throw error
        }
    }

    func close() throws { try base.close() }
}
