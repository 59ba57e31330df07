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
        let read = try LoadDelivery(packed: delivery.packed)
        #expect(read.ledgers.map(\.entries) == [ledger.entries] && read.mask == 1 && read.lateStart == 5)
        #expect(read.clock == delivery.clock)
        let moved = read.onCommonClock
        let write = try #require(moved.ledgers[0].entries[3]?.writes[1]?.first)
        #expect(write.start == 1_090 && write.end == 2_110)
        #expect(moved.ledgers[0].entries[3]?.history.map(\.write.end) == [2_110, 4_110])
        #expect(moved.ledgers[0].doubtful == ledger.doubtful)
        #expect(moved.traces[0].reads.map(\.span) == [LoadTrace.Span(start: 96, end: 117)])
        #expect(moved.traces[0].insertions.map(\.ordinals) == [10..<12])
        #expect(moved.traces[0].misses.map(\.span.start) == [98])
    }

    private func delivery(_ ledger: Ledger, _ trace: LoadTrace) -> LoadDelivery {
        LoadDelivery(
            ledgers: [ledger], traces: [trace], clock: MeetingClock(offset: -3, uncertainty: 4), mask: .max,
            lateStart: -1)
    }

    @Test func everythingThatAShardNotesIsReadBack() throws {
        var ledger = Ledger()
        for (flag, ordinal) in zip([nil, true, false], 0...) {
            var entry = Ledger.Entry()
            (entry.isInserted, entry.isDeleted, entry.isShared) = (flag, flag.map { !$0 }, flag == true)
            entry.writes = [7: [Ledger.Write(revision: .max, start: -5, end: .max / 4, isAcknowledged: false)], 2: []]
            (entry.changes, entry.doubtful) = (ordinal, .max)
            ledger.settle(ordinal * 1_000_000_000, entry)
        }
        var trace = LoadTrace(seeded: 2, isAscending: true, sampling: TraceSampling(salt: 4))
        var scan = LoadOperation(.scan)
        scan.scan = 1..<4
        let records = [Int32.max, .min, -1, 0, nil].map { ReadRecord(checksum: .max, version: $0) }
        trace.note(scan, Array(records.prefix(3)), start: 1, end: 2, outcome: .done)
        trace.note(scan, records, start: 1, end: 2, outcome: .done)
        var change = LoadOperation(.readModifyWrite)
        (change.reads, change.changes, change.change) = ([1, 2], [1, 2], .attributes([3, 4], revision: 1 << 63))
        trace.note(change, Array(records.suffix(2)), start: 5, end: 9, outcome: .done)
        var deletion = LoadOperation(.delete)
        deletion.deletes = 8..<9
        trace.note(deletion, [], start: 5, end: 9, outcome: nil)
        let packed = delivery(ledger, trace).packed
        let read = try LoadDelivery(packed: packed)
        #expect(read.ledgers.map(\.entries) == [ledger.entries] && read.mask == .max && read.lateStart == -1)
        #expect("\(read.traces[0].reads)" == "\(trace.reads)" && "\(read.traces[0].scans)" == "\(trace.scans)")
        #expect("\(read.traces[0].changes)" == "\(trace.changes)" && read.traces[0].miscounts == trace.miscounts)
        #expect("\(read.traces[0].deletions)" == "\(trace.deletions)" && !trace.miscounts.isEmpty)
        // No part of it is taken for the whole, and nothing else either.
        for count in packed.indices {
            #expect(throws: RunError.self) { try LoadDelivery(packed: packed.prefix(count)) }
        }
        #expect(throws: RunError.self) { try LoadDelivery(packed: packed + [0]) }
    }

    /// As JSON each of them took more than 200 bytes.
    @Test func anOperationTakesFewBytes() throws {
        var (ledger, trace) = (Ledger(), LoadTrace(seeded: 1_000, isAscending: false, sampling: TraceSampling(salt: 4)))
        var random = SplitMix64(state: 1)
        let count = 10_000
        for number in 0..<count {
            let ordinal = Int(random.next() % 1_000)
            var operation = LoadOperation(number % 2 == 0 ? .read : .update)
            operation.reads = number % 2 == 0 ? [ordinal] : []
            operation.changes = number % 2 == 0 ? [] : [ordinal]
            operation.change = .attributes([1], revision: UInt64(number))
            let start = 1_790_000_000_000_000_000 + number * 50_000
            let records = operation.reads.map { _ in ReadRecord(checksum: random.next(), version: 3) }
            ledger.note(operation, start: start, end: start + 40_000, isAcknowledged: true)
            trace.note(operation, records, start: start, end: start + 40_000, outcome: .done)
        }
        #expect(delivery(ledger, trace).packed.count < count * 20)
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
