import BenchDrivers
import Testing

@testable import BenchHarness

/// Loads on every driver, small and whole: the harness itself proves that nothing was lost.
@Suite("Every driver, under load")
struct LoadTests {
    private let everything: [OperationKind: Double] = [
        .read: 3, .update: 3, .insert: 2, .scan: 1, .readModifyWrite: 2, .delete: 1,
    ]

    @Test("does every operation of a mix, and loses nothing", arguments: DriverCase.all)
    func mix(_ subject: DriverCase) async throws {
        let mix = MixSpec(operations: everything, keys: .hotSet(records: 5, share: 0.5), scanLengthMax: 10)
        let work = LoadWork(source: .mix(mix), workers: 3, pace: PaceSpec(operations: 400))
        let report = try await work.run(on: subject.driver)
        #expect(report.row.status == .ok, "\(report.row.error)")
        #expect(report.row.operations == 400 && report.row.errors == 0)
        #expect(Set(try #require(report.operations).keys) == Set(OperationKind.single))
    }

    private static func saves(_ mode: SaveSpec.Mode) -> SaveSpec {
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
    @Test("counts every one of the saves that meet", arguments: DriverCase.all, SaveSpec.Mode.allCases)
    func contention(_ subject: DriverCase, _ mode: SaveSpec.Mode) async throws {
        let work = LoadWork(source: .saves(Self.saves(mode)), workers: 4, pace: PaceSpec(operations: 120))
        let report = try await work.run(on: subject.driver)
        // Bare SQLite tells nobody of a save, and says so.
        if report.row.status == .unsupported, subject.driver.name.hasPrefix("sqlite"), mode != .unobserved { return }
        #expect(report.row.status == .ok, "\(report.row.error)")
        #expect(report.row.operations == 120)
    }

    @Test("settles conflicts by every policy", arguments: DriverCase.all, ConflictPolicy.allCases)
    func policies(_ subject: DriverCase, _ policy: ConflictPolicy) async throws {
        let work = LoadWork(
            source: .saves(Self.saves(.unobserved)), workers: 4, pace: PaceSpec(operations: 120), policy: policy)
        let report = try await work.run(on: subject.driver)
        #expect(report.row.status == .ok, "\(report.row.error)")
    }

    @Test("keeps to a rate, in time and with samples", arguments: DriverCase.all)
    func rate(_ subject: DriverCase) async throws {
        let pace = PaceSpec(
            durationSeconds: 0.4, rate: RateSpec(perSecond: 100, arrivals: .poisson), sampleSeconds: 0.1)
        let work = LoadWork(
            source: .mix(MixSpec(operations: [.read: 1])), workers: 2, pace: pace,
            limits: ["read": LimitSpec(milliseconds: ["p99_ms": 60_000], errors: 0)])
        let row = try await work.run(on: subject.driver).row
        #expect(row.status == .ok, "\(row.error)")
        #expect((10...90).contains(try #require(row.operations)))
        #expect(row.limits == "met" && row.ratePerSecond == 100 && row.dropped == 0)
    }
}
