import BenchHarness
import DriverSupport

extension MemorySession: UndoingSession {
    func prepareUndo(_ work: UndoWork) throws -> any FetchedRecords {
        let changes = try RecordChange.resolve(work.set, of: entity)
        let unsaved = MemoryChanges(try matching(work.filter))
        for start in stride(from: 0, to: unsaved.count, by: max(work.stepSize, 1)) {
            unsaved.change(start..<min(start + work.stepSize, unsaved.count)) { $0.changed(by: changes) }
        }
        self.unsaved = unsaved
        return unsaved
    }

    func undo() { queue.sync { unsaved?.undo() } }
}

/// Records with changes that are not saved, and the steps in which these were made.
final class MemoryChanges: FetchedRecords {
    private var records: [MemoryRecord]
    /// The records that each step changed, as they were before it.
    private var steps: [[Int: MemoryRecord]] = []

    init(_ records: [MemoryRecord]) { self.records = records }

    var count: Int { records.count }

    func change(_ positions: Range<Int>, by change: (MemoryRecord) -> MemoryRecord) {
        steps.append(Dictionary(uniqueKeysWithValues: positions.map { ($0, records[$0]) }))
        for position in positions { records[position] = change(records[position]) }
    }

    func undo() {
        for (position, record) in steps.popLast() ?? [:] { records[position] = record }
    }

    func digest(_ positions: Range<Int>, into digester: inout RecordDigester) {
        for position in positions {
            records[position].digest(into: &digester)
            digester.endRecord()
        }
    }
}
