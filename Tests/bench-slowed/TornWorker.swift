import BenchHarness
import Foundation

/// Does what one save is to do in two: it inserts first, and changes and deletes afterwards. Only a death in between
/// shows it.
final class TornWorker: LoadWorker {
    private let base: any LoadWorker

    init(_ base: any LoadWorker) {
        self.base = base
    }

    func perform(_ operation: LoadOperation, reading: inout LoadReading) throws -> LoadOutcome {
        guard !operation.inserts.isEmpty, !operation.changes.isEmpty || !operation.deletes.isEmpty else {
            return try base.perform(operation, reading: &reading)
        }
        var (first, second) = (operation, operation)
        (first.reads, first.changes, first.assigned, first.deletes) = ([], [], [], 0..<0)
        (second.inserts, second.inserted) = (0..<0, [])
        let outcome = try perform(first, &reading)
        guard outcome == .done else { return outcome }
        // Most processes die here.
        Thread.sleep(forTimeInterval: 0.02)
        return try perform(second, &reading)
    }

    private func perform(_ operation: LoadOperation, _ reading: inout LoadReading) throws -> LoadOutcome {
        while true {
            let outcome = try base.perform(operation, reading: &reading)
            if outcome != .busy { return outcome }
        }
    }

    func close() throws { try base.close() }
}
