import BenchHarness
import ForwardingDriver
import Foundation
import Locking

/// Puts workers between a load and those that do it.
final class LoadCheating: ForwardingSession {
    /// Does an operation, or only seems to.
    typealias Cheat = (LoadOperation, any LoadWorker, inout LoadReading) throws -> LoadOutcome

    private final class Worker: LoadWorker {
        private let base: any LoadWorker
        private let cheat: Cheat

        init(_ base: any LoadWorker, _ cheat: @escaping Cheat) {
            self.base = base
            self.cheat = cheat
        }

        func perform(_ operation: LoadOperation, reading: inout LoadReading) throws -> LoadOutcome {
            try cheat(operation, base, &reading)
        }

        func close() throws { try base.close() }
    }

    private let cheat: Cheat

    init(_ base: any StoreSession, _ cheat: @escaping Cheat) {
        self.cheat = cheat
        super.init(base)
    }

    override func makeLoadWorker(_ index: Int, _ work: LoadWork) throws -> any LoadWorker {
        Worker(try super.makeLoadWorker(index, work), cheat)
    }
}

extension LoadReading {
    /// Hands over a record as it was seeded.
    mutating func make(_ ordinal: Int, of records: RecordGenerator, version: Int) {
        for attribute in records.entity.attributes.indices { values.add(records.value(attribute, ordinal)) }
        endRecord(version: version)
    }
}

/// Lets two workers come to the same point before either goes on.
final class Meeting: Sendable {
    private let arrivals = Locked(0)

    /// Waits for the other worker, but not for one that has ended.
    func meet() {
        let arrival = arrivals.withLock { count in
            count += 1
            return count
        }
        let deadline = Date(timeIntervalSinceNow: 0.5)
        while arrivals.value < arrival + arrival % 2, Date() < deadline { usleep(100) }
    }
}

/// Changes records by what it has read before, without a look at their versions. The versions still count every save.
struct BlindWriter: Sendable {
    let meeting = Meeting()

    /// Reads in one transaction, and writes in another.
    func readModifyWrite(
        _ operation: LoadOperation, _ base: any LoadWorker, _ reading: inout LoadReading
    ) throws -> LoadOutcome {
        var read = LoadOperation(.read)
        read.reads = operation.reads
        _ = try base.perform(read, reading: &reading)
        meeting.meet()
        var update = operation
        update.reads = []
        return try write(update, base)
    }

    /// Adds one to the values that it has read.
    ///
    /// - Parameter edits: Returns the value of the counter, which is attribute 3, of a record.
    func save(
        _ operation: LoadOperation, _ base: any LoadWorker, edits: (Int) throws -> Int64
    ) throws -> LoadOutcome {
        let counts = try operation.changes.map(edits)
        meeting.meet()
        var update = operation
        update.change = .attributes([3], revision: 0)
        update.assigned = counts.map { [.int64($0 + 1)] }
        return try write(update, base)
    }

    private func write(_ operation: LoadOperation, _ base: any LoadWorker) throws -> LoadOutcome {
        var reading = LoadReading()
        while true {
            let outcome = try base.perform(operation, reading: &reading)
            if outcome != .busy { return outcome }
        }
    }
}
