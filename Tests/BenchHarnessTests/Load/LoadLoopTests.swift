import Testing

@testable import BenchHarness

@Suite struct LoadLoopTests {
    private let clock = ManualClock()
    private let recorder = LoadRecorder()

    /// Draws reads, each of which takes the harness 30 µs.
    private struct SlowSource: OperationSource {
        let clock: ManualClock
        let kind: OperationKind
        var settled: [Bool] = []
        var takenBack = 0

        mutating func next() -> LoadOperation {
            clock.advance(by: 30_000)
            return LoadOperation(kind)
        }
        mutating func settle(_ operation: LoadOperation, isDone: Bool) { settled.append(isDone) }
        mutating func takeBack(_ operation: LoadOperation) { takenBack += 1 }
    }

    /// Takes the time of each operation from a list, and fails where there is none.
    private final class TimedWorker: LoadWorker {
        private let clock: ManualClock
        private var times: [Int?]

        init(_ clock: ManualClock, _ times: [Int?]) {
            self.clock = clock
            self.times = times
        }

        func perform(_ operation: LoadOperation, reading: inout LoadReading) throws -> LoadOutcome {
            guard let time = times.removeFirst() else { throw FakeError("told to fail") }
            clock.advance(by: time)
            return .done
        }
        func close() throws {}
    }

    /// Runs operations that take these times, in nanoseconds; nil fails.
    private func run(_ times: [Int?], _ pace: PaceSpec, kind: OperationKind = .read) throws -> SlowSource {
        let pacer = LoadPacer(pace, seed: 1, clock: clock, sleep: { [clock] in clock.advance(by: $0) })
        pacer.begin()
        var source = SlowSource(clock: clock, kind: kind)
        var account = LoadAccount(ledger: Ledger())
        try LoadLoop(pacer: pacer, clock: clock, recorder: recorder).run(TimedWorker(clock, times), &source, &account)
        return source
    }

    private var reads: OperationFigures { recorder.figures[.read] ?? OperationFigures() }

    @Test func drawingAnOperationIsNoPartOfItsTimeInAClosedLoop() throws {
        _ = try run([1_000, 1_000], PaceSpec(operations: 2))
        #expect(reads.service.count == 2 && reads.service.max == 1_000)
        #expect(reads.response.max == 1_000)
    }

    @Test func drawingAnOperationIsNoPartOfItsTimeInAnOpenLoop() throws {
        _ = try run([1_000, 1_000, 1_000], PaceSpec(operations: 3, rate: RateSpec(perSecond: 1_000)))
        #expect(reads.service.count == 3 && reads.service.max == 1_000)
        // The first is due at once, and so 30 µs late.
        #expect(reads.response.min == 1_000 && reads.response.max == 31_000)
    }

    /// The response time of an operation behind a slow one still runs from its intended start.
    @Test func responseTimeRunsFromTheIntendedStart() throws {
        _ = try run([5_000_000, 1_000], PaceSpec(operations: 2, rate: RateSpec(perSecond: 1_000)))
        #expect(reads.service.min == 1_000)
        #expect(reads.response.min == 4_031_000 + 30_000)
    }

    @Test func operationsThatAreTooLateAreDroppedByTheirKind() throws {
        let rate = RateSpec(perSecond: 1_000, dropAfterMilliseconds: 2)
        let source = try run([4_500_000, 1_000, 1_000, 1_000], PaceSpec(operations: 6, rate: rate))
        // Those due after 1 and 2 ms are more than 2 ms late; the one due after 3 ms is not.
        #expect(reads.dropped == 2 && source.takenBack == 2)
        #expect(reads.response.count == 4 && reads.due == 6)
        #expect(recorder.takeInterval().dropped == 2)
    }

    @Test func anOperationThatFailsIsSettledAsNotDone() throws {
        let source = try run([1_000, nil], PaceSpec(operations: 2))
        #expect(source.settled == [true, false])
        #expect(reads.service.count == 1 && reads.errors == 1)
    }
}
