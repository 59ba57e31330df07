import Foundation
import TestSupport
import Testing

@testable import BenchHarness

@Suite struct LoadJournalTests {
    private static func operation(
        _ kind: OperationKind, inserts: Range<Int> = 0..<0, changes: [Int] = [], deletes: Range<Int> = 0..<0,
        change: LoadChange = .attributes([], revision: 0)
    ) -> LoadOperation {
        var operation = LoadOperation(kind)
        (operation.inserts, operation.changes, operation.deletes) = (inserts, changes, deletes)
        operation.change = change
        return operation
    }

    private static let insert = operation(.insert, inserts: 16_777_216..<16_777_217)

    @Test(arguments: [
        JournalEntry.intent(insert, start: 12),
        .intent(operation(.update, changes: [7], change: .attributes([1, 4], revision: 1 << 50)), start: 1),
        .intent(operation(.save, inserts: 5..<7, changes: [1, 2], deletes: 3..<4, change: .set([])), start: 1),
        .acknowledged(end: 3), .refused, .failed(end: 3, reason: "the disk is full"),
    ])
    func lineSaysAll(entry: JournalEntry) {
        #expect(JournalEntry(entry.line[...]) == entry)
    }

    @Test func aFullDiskIsAnErrorThatNamesTheFile() throws {
        let journal = try LoadJournal(URL(filePath: "/dev/full"))
        let error = #expect(throws: RunError.self) { try journal.write(JournalEntry.refused) }
        #expect(error?.description.hasPrefix("cannot write /dev/full: No space left on device") == true)
    }

    @Test(arguments: [
        "", "?", "=", "= x", "+ 1 insert", "+ 1 upsert - - - 0 -", "+ 1 insert 3,0 - - 0 -", "+ 1 insert 3 - - 0 -",
    ])
    func otherLineIsRefused(line: String) {
        #expect(JournalEntry(line[...]) == nil)
        #expect(throws: RunError.self) { try JournalReading(line + "\n", end: 1) }
    }

    private func lines(_ entries: JournalEntry...) -> String { entries.map { $0.line + "\n" }.joined() }

    @Test func acknowledgedWritesAreToldFromRefusedOnes() throws {
        let text = lines(
            .intent(Self.insert, start: 1), .refused, .intent(Self.insert, start: 2), .acknowledged(end: 3))
        let reading = try JournalReading(text, end: 9)
        #expect(reading.acknowledged == 1 && reading.ledger.doubtful.isEmpty)
        #expect(reading.ledger.entries[16_777_216]?.isInserted == true)
    }

    @Test func operationUnderWayAtTheEndIsDoubtful() throws {
        let reading = try JournalReading(lines(.intent(Self.insert, start: 1)), end: 9)
        #expect(reading.acknowledged == 0 && reading.ledger.doubtful == [Self.insert])
    }

    @Test(arguments: [(false, 2), (true, 9)]) func failedOperationMayGoOnOnAServer(goesOn: Bool, end: Int) throws {
        var change = LoadOperation(.update)
        (change.changes, change.change) = ([4], .attributes([1], revision: 7))
        let text = lines(.intent(change, start: 1), .failed(end: 2, reason: "the connection was lost"))
        let reading = try JournalReading(text, end: 9, goesOn: goesOn)
        #expect(reading.ledger.entries[4]?.writes[1]?.map(\.end) == [end])
    }

    @Test func failedOperationIsDoubtfulAndTold() throws {
        let text = lines(.intent(Self.insert, start: 1), .failed(end: 2, reason: "the disk is full"))
        let reading = try JournalReading(text, end: 9)
        #expect(reading.failures == ["the disk is full"] && reading.ledger.doubtful.count == 1)
    }

    @Test func lineThatWasCutOffCountsForNothing() throws {
        let whole = lines(.intent(Self.insert, start: 1), .acknowledged(end: 3))
        for length in 0..<whole.utf8.count {
            let reading = try JournalReading(String(whole.prefix(length)), end: 9)
            #expect(reading.acknowledged == 0)
            #expect(reading.ledger.doubtful.count == (length < whole.utf8.count - 4 ? 0 : 1))
        }
    }

    @Test func workerWritesBeforeAndAfterItActs() throws {
        let directory = try TemporaryDirectory()
        let url = directory.file("journal")
        let base = ScriptedWorker(outcomes: [.conflict, .done, .done]) {
            try? String(contentsOf: url, encoding: .utf8)
        }
        var acknowledged = 0
        let worker = JournalingWorker(base, journal: try LoadJournal(url), clock: ManualClock()) { acknowledged += 1 }
        var reading = LoadReading()
        for operation in [Self.insert, Self.insert, LoadOperation(.read)] {
            _ = try worker.perform(operation, reading: &reading)
        }
        let intent = JournalEntry.intent(Self.insert, start: 0).line + "\n"
        #expect(base.seen == [intent, intent + "-\n" + intent, intent + "-\n" + intent + "= 0\n"])
        #expect(acknowledged == 1)
    }
}

/// Comes to what it is told, and looks at something each time.
private final class ScriptedWorker: LoadWorker {
    private var outcomes: [LoadOutcome]
    private let look: () -> String?
    private(set) var seen: [String?] = []

    init(outcomes: [LoadOutcome], look: @escaping () -> String?) {
        (self.outcomes, self.look) = (outcomes, look)
    }

    func perform(_ operation: LoadOperation, reading: inout LoadReading) -> LoadOutcome {
        seen.append(look())
        return outcomes.removeFirst()
    }

    func close() {}
}
