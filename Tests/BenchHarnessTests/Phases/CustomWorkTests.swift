import Foundation
import Locking
import TestSupport
import Testing

@testable import BenchHarness

/// Phases that run operations of a driver's own.
@Suite struct CustomWorkTests {
    private static let look = operation("look", .reads) { session, _ in try session.work("look") }

    private static let double = operation("double", .changes) { session, _ in
        try session.work("double")
        try session.write(session.values().map { $0 * 2 })
    }

    /// Says that it only reads.
    private static let sly = operation("sly", .reads) { session, _ in
        try session.write(session.values().map { $0 + 1 })
    }

    private static func operation(
        _ name: String, _ effect: StoreOperation.Effect, parameters: [OperationParameter] = [],
        run: @escaping @Sendable (FakeSession, OperationCall) throws -> Void
    ) -> StoreOperation {
        StoreOperation(
            name, "for tests", on: FakeSession.self, effect: effect, parameters: parameters, run: run,
            verify: { _, _ in [] })
    }

    private static func custom(
        _ operation: String, from origin: Phase.Origin = .seeded, _ parameters: [String: FieldValue] = [:],
        count: Int? = nil, seconds: Double? = nil
    ) -> Phase {
        Phase(
            name: operation, from: origin,
            work: .custom(
                CustomWork(operation: operation, parameters: parameters, count: count, durationSeconds: seconds)))
    }

    private func reports(
        _ phases: Phase..., by operations: [StoreOperation], driver: FakeDriver = FakeDriver()
    ) throws -> [PhaseReport] {
        var driver = driver
        driver.operations = operations
        return try driver.reports(phases)
    }

    // MARK: - Running

    @Test func eachRunHasALatencyAndThePhaseARate() throws {
        let report = try #require(try reports(Self.custom("look", count: 5), by: [Self.look]).first)
        #expect(report.row.status == .ok && report.row.verified == true, "\(report.row.error)")
        #expect(report.row.kind == "custom" && report.row.mode == "counted")
        #expect(report.row.operations == 5 && report.row.records == nil)
        #expect(report.row.durationNanoseconds == 5_000 && report.row.throughput == 1e6)
        #expect(report.row.latencyMin == 1_000 && report.row.latencyMax == 1_000)
        #expect(report.row.counters.statements == 1 && report.latencies?.count == 5)
    }

    @Test func anOperationRunsOnceIfNothingIsSaid() throws {
        let rows = try reports(Self.custom("look"), by: [Self.look]).map(\.row)
        #expect(rows.map(\.operations) == [1])
    }

    /// Each run takes a microsecond.
    @Test(arguments: [(nil, 4.5e-6, 5), (3, 4.5e-6, 3), (9, 4.5e-6, 5), (nil, 1e-9, 1)] as [(Int?, Double, Int)])
    func runsEndWithTheTimeOrTheirNumber(count: Int?, seconds: Double, runs: Int) throws {
        let phase = Self.custom("look", count: count, seconds: seconds)
        let rows = try reports(phase, by: [Self.look]).map(\.row)
        #expect(rows.map(\.operations) == [runs] && rows.map(\.mode) == ["timed"])
    }

    @Test func preparationIsOutsideTheClock() throws {
        let prepared = StoreOperation(
            "prepared", "for tests", on: FakeSession.self, effect: .reads,
            prepare: { session, _ in try session.work("prepare runs") },
            run: { session, _ in try session.work("run") }, verify: { _, _ in [] })
        let driver = FakeDriver()
        let rows = try reports(Self.custom("prepared", count: 2), by: [prepared], driver: driver).map(\.row)
        #expect(rows.map(\.durationNanoseconds) == [2_000] && rows.map(\.preparation) == [1_000])
        let calls = driver.log.calls
        #expect(
            Array(calls[(calls.firstIndex(of: "prepare runs") ?? 0)...].prefix(6)) == [
                "prepare runs", "resetCounters", "prepare", "sample", "run", "run",
            ])
    }

    @Test func runsAreNumberedAndDrawTheSameEachTime() throws {
        let drawn = Locked<[(Int, UInt64)]>([])
        let drawing = Self.operation("draw", .reads) { _, call in
            var random = call.random
            let value = random.next()
            drawn.withLock { $0.append((call.number, value)) }
        }
        for _ in 0..<2 { _ = try reports(Self.custom("draw", count: 3), by: [drawing]) }
        let found = drawn.value
        #expect(found.map(\.0) == [0, 1, 2, 0, 1, 2])
        #expect(Set(found.map(\.1)).count == 3 && found[0].1 == found[3].1 && found[2].1 == found[5].1)
    }

    @Test func parametersHaveTheValuesOfThePhaseOrTheirDefaults() throws {
        let found = Locked<[String]>([])
        let parameters = [
            OperationParameter("limit", .integer), OperationParameter("share", default: 0.5),
            OperationParameter("folder", default: "inbox"), OperationParameter("deep", default: false),
            OperationParameter("times", default: 3),
        ]
        let telling = Self.operation("tell", .reads, parameters: parameters) { _, call in
            let values = call.parameters
            let text =
                try "\(values.integer("limit")) \(values.number("share")) \(values.string("folder")) "
                + "\(values.bool("deep")) \(values.integer("times"))"
            found.withLock { $0.append(text) }
        }
        let set: [String: FieldValue] = [
            "limit": .int64(7), "share": .int64(1), "folder": .string("spam"), "deep": .bool(true),
        ]
        let rows = try reports(Self.custom("tell", ["limit": .int64(7)]), Self.custom("tell", set), by: [telling])
        #expect(rows.allSatisfy { $0.row.status == .ok })
        #expect(found.value == ["7 0.5 inbox false 3", "7 1.0 spam true 3"])
    }

    @Test func aParameterThatTheOperationDoesNotDeclareFailsThePhase() throws {
        let asking = Self.operation("ask", .reads, parameters: [OperationParameter("limit", default: 1)]) { _, call in
            _ = try call.parameters.integer("limt")
        }
        let rows = try reports(Self.custom("ask"), by: [asking]).map(\.row)
        #expect(
            rows.map(\.error) == ["ask has no parameter \"limt\"; expected limit. Did you mean \"limit\"?"])
        let mistyped = Self.operation("ask", .reads, parameters: [OperationParameter("limit", default: 1)]) { _, call in
            _ = try call.parameters.string("limit")
        }
        let others = try reports(Self.custom("ask"), by: [mistyped]).map(\.row)
        #expect(
            others.map(\.error) == [
                "ask reads its parameter \"limit\" as a string, but declares another kind; use one in both"
            ])
    }

    // MARK: - Verification

    @Test func theOperationVerifiesWhatItLeft() throws {
        let counting = StoreOperation(
            "count", "for tests", on: FakeSession.self, effect: .changes,
            run: { session, call in
                try session.write(session.values().dropLast())
                return call.number
            },
            verify: { session, outcome in
                var before = 0
                outcome.forEachRecordBefore { _ in before += 1 }
                let (found, wanted) = (try session.values().count, before - outcome.results.count - 1)
                return found == wanted ? [] : ["\(found) records are left; expected \(wanted)"]
            })
        let rows = try reports(Self.custom("count", count: 2), by: [counting]).map(\.row)
        #expect(rows.map(\.status) == [.failed] && rows.map(\.verified) == [false])
        #expect(rows.map(\.error) == ["8 records are left; expected 7"])
    }

    @Test func anOperationThatOnlyReadsLeavesTheStoreAsItIs() throws {
        let rows = try reports(Self.custom("sly"), Self.custom("look"), by: [Self.sly, Self.look]).map(\.row)
        #expect(rows.map(\.status) == [.failed, .ok])
        #expect(rows[0].error == "the store does not hold the expected values")
    }

    @Test func anOperationThatThrowsFailsThePhase() throws {
        let rows = try reports(
            Self.custom("look"), by: [Self.look], driver: FakeDriver(failingKind: "look")
        ).map(\.row)
        #expect(rows.map(\.status) == [.failed] && rows.map(\.error) == ["told to fail"])
    }

    @Test func recordsAreReadByTheInspectorThatTheDriverHas() throws {
        let reading = StoreOperation(
            "read", "for tests", on: FakeSession.self, effect: .reads, run: { _, _ in },
            verify: { _, outcome in
                try outcome.forEachRecord { _ in }
                return []
            })
        let rows = try reports(Self.custom("read"), by: [reading]).map(\.row)
        #expect(rows.map(\.error) == ["fake has no inspector to read its records; declare one"])
    }

    @Test func noPhaseGoesOnFromChangesThatOnlyTheDriverKnows() throws {
        let rows = try reports(
            Self.custom("double"), Phase(name: "fetch", from: .previous, work: .fetch(FetchWork(mode: .sync))),
            Self.custom("look", from: .previous),
            Phase(name: "again", from: .seeded, work: .fetch(FetchWork(mode: .sync))),
            by: [Self.double, Self.look]
        ).map(\.row)
        #expect(rows.map(\.status) == [.ok, .unsupported, .unsupported, .ok])
        let reason = "it goes on from double, whose changes only the driver knows; expected from seeded"
        #expect(rows.map(\.error) == ["", reason, reason, ""])
    }

    @Test func aPhaseGoesOnFromAnOperationThatOnlyReads() throws {
        let rows = try reports(
            Self.custom("look"), Phase(name: "fetch", from: .previous, work: .fetch(FetchWork(mode: .sync))),
            Self.custom("double", from: .previous), by: [Self.double, Self.look]
        ).map(\.row)
        #expect(rows.map(\.status) == [.ok, .ok, .ok])
    }

    /// Any of them may decide how much an operation does.
    @Test func noValuesArePlantedForAnOperation() {
        var scenario = FakeDriver.scenario
        scenario.entity.attributes.append(
            AttributeSpec(name: "name", type: .string, generator: .sequence(prefix: "a", start: 0, step: 1)))
        scenario.phases = [Self.custom("look"), Phase(name: "count", from: .seeded, work: .count(CountWork()))]
        #expect(scenario.plantedAttributes(before: 0).isEmpty && scenario.plantedAttributes(before: 1) == [1])
    }

    // MARK: - What a driver does not have

    @Test(
        arguments: [
            ("lok", [:], "it has no operation \"lok\"; expected look or tell. Did you mean \"look\"?"),
            ("archive", [:], "it has no operation \"archive\"; expected look or tell"),
            ("look", ["limit": .int64(1)], "look has no parameter \"limit\"; it has none"),
            (
                "tell", ["limit": .int64(1), "flder": .string("a")],
                "tell has no parameter \"flder\"; expected limit or folder. Did you mean \"folder\"?"
            ),
            ("tell", [:], "tell needs the parameter \"limit\"; expected an integer"),
            (
                "tell", ["limit": .string("many")],
                "the parameter \"limit\" of tell is the string \"many\"; expected an integer"
            ),
            ("tell", ["limit": .double(1.5)], "the parameter \"limit\" of tell is 1.5; expected an integer"),
            (
                "tell", ["limit": .int64(1), "folder": .bool(true)],
                "the parameter \"folder\" of tell is true; expected a string"
            ),
        ] as [(String, [String: FieldValue], String)])
    func whatADriverLacksIsUnsupported(name: String, parameters: [String: FieldValue], reason: String) throws {
        let telling = Self.operation(
            "tell", .reads,
            parameters: [OperationParameter("limit", .integer), OperationParameter("folder", default: "")]
        ) { _, _ in }
        let rows = try reports(Self.custom(name, parameters), by: [Self.look, telling]).map(\.row)
        #expect(rows.map(\.status) == [.unsupported] && rows.map(\.error) == [reason])
    }

    @Test func aDriverWithoutOperationsSaysSo() throws {
        let rows = try reports(Self.custom("look"), by: []).map(\.row)
        #expect(rows.map(\.status) == [.unsupported] && rows.map(\.error) == ["it has no operations of its own"])
    }

    // MARK: - Sizes and turns

    @Test func runsAreScaledWithTheRecordsAndTheTimeIsNot() throws {
        var scenario = FakeDriver.scenario
        scenario.phases = [
            Self.custom("look", count: 10), Self.custom("look", count: 4), Self.custom("look", seconds: 3),
        ]
        let works = scenario.scaled(by: 0.2).phases.compactMap { $0.work.as(CustomWork.self) }
        #expect(works.map(\.count) == [2, 1, nil] && works.map(\.durationSeconds) == [nil, nil, 3])
    }

    @Test(arguments: [(nil, 3.0, 40), (100, nil, 40), (30, nil, 30)] as [(Int?, Double?, Int)])
    func aTurnIsAStretchOfRuns(count: Int?, seconds: Double?, runs: Int) throws {
        let work = CustomWork(operation: "look", count: count, durationSeconds: seconds)
        let cut = try #require(work.cut(to: 40))
        #expect(cut.operations == runs)
        #expect(Phase.Work(cut.work) == .custom(CustomWork(operation: "look", count: runs)))
    }

    @Test func aTurnRunsTheOperationAndIsVerifiedIfLookedAt() throws {
        var driver = FakeDriver()
        driver.operations = [Self.look, Self.sly]
        var scenario = FakeDriver.scenario
        scenario.phases = [Self.custom("look", count: 4), Self.custom("sly")]
        let directory = try TemporaryDirectory()
        let job = RepetitionJob(
            run: "r", scenario: scenario, driver: driver.name, repetition: 1, phases: 0..<1,
            directory: directory.path, parent: 0)
        var taker = TurnTaker(job, driver: driver)
        try taker.restore()
        let turn = try taker.turn(at: 0, seed: 3, verifies: false)
        #expect(turn.operations == 4 && turn.problems.isEmpty)
        #expect(try taker.turn(at: 1, verifies: true).problems == ["the store does not hold the expected values"])
        try taker.end()
    }

    /// Counters of a phase that goes on for some time depend on the speed.
    @Test func onlyAPhaseOfCountedRunsHasExactCounters() {
        #expect(CustomWork.kind.isExact("counted") && !CustomWork.kind.isExact("timed"))
        #expect(FetchWork.kind.isExact("sync") && !LoadWork.mixedKind.isExact(""))
    }
}
