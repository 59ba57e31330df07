import BenchDrivers
import Foundation
import TestSupport
import Testing

@testable import BenchHarness

/// Loads on every driver, small and whole: the harness itself proves that nothing was lost.
@Suite("Every driver, under load")
struct LoadTests {
    private static let entity = EntitySpec(
        name: "Item",
        attributes: [
            AttributeSpec(
                name: "number", type: .int64, generator: .sequence(prefix: "", start: 0, step: 1), isUnique: true),
            AttributeSpec(name: "text", type: .string, generator: .random(length: 20)),
            AttributeSpec(name: "score", type: .int64, generator: .constant(.int64(0))),
            AttributeSpec(name: "done", type: .bool, generator: .constant(.bool(false))),
        ])

    private func run(_ work: LoadWork, on subject: DriverCase) async throws -> PhaseReport {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        defer { try? FileManager.default.removeItem(at: folder) }
        let scenario = Scenario(
            name: "load", records: 500, isolation: .none, entity: Self.entity,
            phases: [Phase(name: "load", from: .seeded, work: .load(work))])
        return try await onThread {
            let reports = Locked<[PhaseReport]>([])
            let job = RepetitionJob(
                run: "r", scenario: scenario, driver: subject.driver.name, repetition: 1, phases: 0..<1,
                directory: folder.path, parent: 0)
            var runner = RepetitionRunner(job, driver: subject.driver, instruments: .platform) { event in
                if case .finished(let report) = event { reports.withLock { $0.append(report) } }
            }
            try runner.run()
            return try #require(reports.value.first)
        }
    }

    private let everything: [OperationKind: Double] = [
        .read: 3, .update: 3, .insert: 2, .scan: 1, .readModifyWrite: 2, .delete: 1,
    ]

    @Test("does every operation of a mix, and loses nothing", arguments: DriverCase.all)
    func mix(_ subject: DriverCase) async throws {
        let mix = MixSpec(operations: everything, keys: .hotSet(records: 5, share: 0.5), scanLengthMax: 10)
        let work = LoadWork(source: .mix(mix), workers: 3, pace: PaceSpec(operations: 400))
        let report = try await run(work, on: subject)
        #expect(report.row.status == .ok, "\(report.row.error)")
        #expect(report.row.operations == 400 && report.row.errors == 0)
        #expect(Set(try #require(report.operations).keys) == Set(OperationKind.single))
    }

    private static func saves(_ mode: MergeWork.Mode) -> SaveSpec {
        SaveSpec(
            mode: mode, insertsPerSave: 2, changesPerSave: 6, deletesPerSave: 1,
            set: [
                AttributeChange(attribute: "done", operation: .toggle),
                AttributeChange(attribute: "score", operation: .add(1)),
            ],
            contention: 0.5, hotRecords: 8, windowRecords: 100,
            sort: [SortSpec(key: "score", ascending: false), SortSpec(key: "number")])
    }

    /// Scores count every save: one that overwrote another's would be one too few.
    @Test("counts every one of the saves that meet", arguments: DriverCase.all, MergeWork.Mode.allCases)
    func contention(_ subject: DriverCase, _ mode: MergeWork.Mode) async throws {
        let work = LoadWork(source: .saves(Self.saves(mode)), workers: 4, pace: PaceSpec(operations: 120))
        let report = try await run(work, on: subject)
        // Bare SQLite tells nobody of a save, and says so.
        if report.row.status == .unsupported, subject.driver.name.hasPrefix("sqlite"), mode != .unobserved { return }
        #expect(report.row.status == .ok, "\(report.row.error)")
        #expect(report.row.operations == 120)
    }

    @Test("settles conflicts by every policy", arguments: DriverCase.all, ConflictPolicy.allCases)
    func policies(_ subject: DriverCase, _ policy: ConflictPolicy) async throws {
        let work = LoadWork(
            source: .saves(Self.saves(.unobserved)), workers: 4, pace: PaceSpec(operations: 120), policy: policy)
        let report = try await run(work, on: subject)
        #expect(report.row.status == .ok, "\(report.row.error)")
    }

    @Test("keeps to a rate, in time and with samples", arguments: DriverCase.all)
    func rate(_ subject: DriverCase) async throws {
        let pace = PaceSpec(
            durationSeconds: 0.4, rate: RateSpec(perSecond: 100, arrivals: .poisson), sampleSeconds: 0.1)
        let work = LoadWork(
            source: .mix(MixSpec(operations: [.read: 1])), workers: 2, pace: pace,
            limits: ["read": LimitSpec(milliseconds: ["p99_ms": 60_000], errors: 0)])
        let row = try await run(work, on: subject).row
        #expect(row.status == .ok, "\(row.error)")
        #expect((10...90).contains(try #require(row.operations)))
        #expect(row.limits == "met" && row.ratePerSecond == 100 && row.dropped == 0)
    }
}

/// The merging context and its controller are told of every save.
@Suite struct ManagedSaveObserverTests {
    @Test func everySaveIsMergedAndPassedOn() async throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        defer { try? FileManager.default.removeItem(at: folder) }
        let spec = SaveSpec(
            mode: .controller, insertsPerSave: 1, changesPerSave: 0, deletesPerSave: 0, set: [],
            sort: [SortSpec(key: "number", ascending: false)])
        let entity = EntitySpec(
            name: "Item",
            attributes: [
                AttributeSpec(
                    name: "number", type: .int64, generator: .sequence(prefix: "", start: 0, step: 1), isUnique: true)
            ])
        let scenario = Scenario(
            name: "load", records: 10, isolation: .none, entity: entity,
            phases: [
                Phase(
                    name: "load", from: .seeded,
                    work: .load(LoadWork(source: .saves(spec), workers: 2, pace: PaceSpec(operations: 30))))
            ])
        let row = try await onThread {
            let rows = Locked<[ResultRow]>([])
            let job = RepetitionJob(
                run: "r", scenario: scenario, driver: "managed", repetition: 1, phases: 0..<1, directory: folder.path,
                parent: 0)
            var runner = RepetitionRunner(job, driver: ManagedDriver(), instruments: .platform) { event in
                if case .finished(let report) = event { rows.withLock { $0.append(report.row) } }
            }
            try runner.run()
            return try #require(rows.value.first)
        }
        #expect(row.status == .ok, "\(row.error)")
        #expect(row.mergeMax != nil && row.delegateMax != nil)
        #expect(try #require(row.delegateMax) >= 0)
    }
}
