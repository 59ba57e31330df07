import Foundation
import TestSupport
import Testing

@testable import BenchHarness
@testable import RelationTorture

@Suite struct RelatedJournalTests {
    private static let move = RelatedOperation(.move, .overwrite, [7], choice: 3)
    private static let marks = [RelatedMark(account: 7, revision: 4, balance: -1, list: nil)]

    private func text(_ entries: RelatedEntry...) throws -> String {
        let directory = try TemporaryDirectory()
        let url = directory.file("journal")
        let journal = try LoadJournal(url)
        for entry in entries { try journal.write(entry) }
        return try String(contentsOf: url, encoding: .utf8)
    }

    @Test func journalTellsWhatBecameOfEachOperation() throws {
        let reading = try RelatedReading(
            text(
                .intent(Self.move), .refused, .intent(Self.move), .acknowledged(Self.marks), .intent(Self.move),
                .failed("the disk is full"), .intent(Self.move)))
        #expect(reading.acknowledged == [RelatedReading.Save(operation: Self.move, marks: Self.marks)])
        #expect(reading.doubtful == [Self.move, Self.move])
        #expect(reading.failures == ["move of [7] with overwrite: the disk is full"])
    }

    @Test func lineThatWasCutOffCountsForNothing() throws {
        let whole = try text(.intent(Self.move), .acknowledged(Self.marks))
        let reading = try RelatedReading(String(whole.dropLast(2)))
        #expect(reading.acknowledged.isEmpty && reading.doubtful == [Self.move])
    }

    @Test func lineThatNoWorkerWritesIsAnError() {
        #expect(throws: RunError.self) { try RelatedReading("?\n") }
    }
}
