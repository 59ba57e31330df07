import Foundation
import Testing

@testable import BenchHarness

@Suite struct LoadDeliveryTests {
    private var ledger: Ledger {
        var ledger = Ledger(repeating: [1])
        var update = LoadOperation(.update)
        update.changes = [3]
        update.change = .attributes([1, 2], revision: 9)
        ledger.note(update, start: 1_000, end: 2_000, isAcknowledged: true)
        ledger.note(update, start: 3_000, end: 4_000, isAcknowledged: false)
        return ledger
    }

    private var trace: LoadTrace {
        var trace = LoadTrace(seeded: 10, isAscending: false, sampling: TraceSampling(salt: 4))
        var insert = LoadOperation(.insert)
        insert.inserts = 10..<12
        trace.note(insert, [], start: 1, end: 5, outcome: .done)
        var read = LoadOperation(.read)
        read.reads = [2]
        trace.note(read, [ReadRecord(checksum: 8, version: 1)], start: 6, end: 7, outcome: .done)
        trace.note(read, [], start: 8, end: 9, outcome: .missing)
        return trace
    }

    @Test func whatIsHandedOverArrivesByTheCommonClockAndAsMuchLongerAsItIsUncertain() throws {
        let delivery = LoadDelivery(
            ledgers: [ledger], traces: [trace], clock: MeetingClock(offset: 100, uncertainty: 10), mask: 1, lateStart: 5
        )
        let read = try JSONDecoder().decode(LoadDelivery.self, from: JSONEncoder().encode(delivery))
        #expect(read.ledgers == [ledger] && read.mask == 1 && read.lateStart == 5)
        let moved = read.onCommonClock
        let write = try #require(moved.ledgers[0].entries[3]?.writes[1]?.first)
        #expect(write.start == 1_090 && write.end == 2_110)
        #expect(moved.ledgers[0].entries[3]?.history.map(\.write.end) == [2_110, 4_110])
        #expect(moved.ledgers[0].doubtful == ledger.doubtful)
        #expect(moved.traces[0].reads.map(\.span) == [LoadTrace.Span(start: 96, end: 117)])
        #expect(moved.traces[0].insertions.map(\.ordinals) == [10..<12])
        #expect(moved.traces[0].misses.map(\.span.start) == [98])
    }

    @Test func tracesKeepTheRecordsThatAllProcessesKeep() {
        let (sampling, strict) = (TraceSampling(salt: 4), TraceSampling(salt: 4, mask: 0xFFFF_FFFF))
        var kept = trace
        kept.adopt(sampling)
        #expect(kept.reads.count == 1)
        kept.adopt(strict)
        #expect(kept.reads.isEmpty && kept.insertions.count == 1)
    }
}
