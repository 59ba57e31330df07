import Foundation

@testable import BenchHarness

/// Runs made up for comparisons: phases of one driver or more, whose figures are told.
struct ComparisonFixture {
    var id = UUID().uuidString
    var name = "made-up.csv"
    var scenario = "made-up"
    var rows: [ResultRow] = []
    var manifest: Manifest?

    /// Adds a repetition for each duration in milliseconds, with a peak of memory that varies a little by itself.
    mutating func add(
        _ phase: String, driver: String = "managed", durationsMilliseconds: [Double], mode: String = "",
        change: (inout ResultRow) -> Void = { _ in }
    ) {
        for (index, duration) in durationsMilliseconds.enumerated() {
            var row = ResultRow()
            (row.run, row.scenario, row.driver, row.phase, row.mode) = (id, scenario, driver, phase, mode)
            row.repetition = index + 1
            row.verified = true
            row.durationNanoseconds = Int(duration * 1e6)
            row.residentPeakBytes = 100_000_000 + index * 1_000
            change(&row)
            rows.append(row)
        }
    }

    /// A run with one phase.
    static func phase(
        _ durations: [Double], driver: String = "managed", name: String = "made-up.csv",
        change: (inout ResultRow) -> Void = { _ in }
    ) -> RecordedRun {
        var fixture = ComparisonFixture(name: name)
        fixture.add("fetch", driver: driver, durationsMilliseconds: durations, change: change)
        return fixture.run
    }

    var run: RecordedRun { RecordedRun(url: URL(fileURLWithPath: name), rows: rows, manifest: manifest) }

    /// Values around 100 with noise of about 1 %, none twice.
    static func steady(_ count: Int, at center: Double = 100, seed: UInt64 = 1) -> [Double] {
        var random = SplitMix64(state: seed)
        return (0..<count).map { _ in
            center * exp(0.01 * NormalDistribution.quantile(Double.random(in: 0.001..<0.999, using: &random)))
        }
    }

    static func host(cpu: String = "A", cores: Int = 2) -> HostFacts {
        var host = HostFacts()
        host.cpuModel = cpu
        host.cores = cores
        host.memoryBytes = 16 << 30
        return host
    }

    /// The manifests of the sides of a run that took turns.
    static func manifests(ofTurns id: String, _ scenario: Scenario) -> [Side: Manifest] {
        Dictionary(
            uniqueKeysWithValues: Side.allCases.map { ($0, manifest(scenario: scenario, run: "\(id)-\($0.rawValue)")) })
    }

    /// A manifest of the fake scenario on a host.
    static func manifest(
        host: HostFacts = host(), scenario: Scenario = FakeDriver.scenario, baselineRevision: String = "1",
        sqlite: String = "3.40.1", run: String = "x"
    ) -> Manifest {
        let request = RunRequest(
            scenario: scenario, drivers: [], output: URL(fileURLWithPath: "x.csv"),
            storeParent: URL(fileURLWithPath: "/"))
        var manifest = Manifest(request, run: run)
        manifest.host = host
        manifest.buildConfiguration = "release"
        manifest.drivers = ["managed", "sqlite"].map {
            Manifest.DriverFacts(
                name: $0, properties: ["baseline_revision": baselineRevision, "sqlite_version": sqlite])
        }
        return manifest
    }
}

extension Comparison {
    func judgement(_ metric: String, driver: String = "managed", phase: String = "fetch") -> Judgement? {
        judgements.first { $0.metric.name == metric && $0.key.driver == driver && $0.key.phase == phase }
    }
}
