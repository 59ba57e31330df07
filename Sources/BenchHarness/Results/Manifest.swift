import Foundation
import Processes

/// The circumstances of a run that a reader of the results needs: JSON beside the CSV. Unknown values are left out.
package struct Manifest: Codable {
    package struct DriverFacts: Codable {
        package var name: String
        package var properties: [String: String]
        /// Whether some records had values that the driver could not know. Optional, since older files lack it.
        var plantsValues: Bool?
        /// What reads the store to verify it: the name of the driver's inspector, or the driver's own sessions.
        var inspectedBy: String?
        /// Whether the versions of records are verified.
        var verifiesVersions: Bool?
    }

    /// What is known of a side that took turns with another.
    package struct TurnFacts: Codable {
        /// The most launches that there could be.
        package var launches: Int
        /// The number of figures that the run judged.
        var figures: Int
        /// The probability of a false verdict of a change that the run allowed.
        var alpha: Double
        /// The mean time of a launch, from the first one's start to the end of the run.
        package var secondsPerLaunch: Double?
        /// The thresholds of the command line, in percent; nil without any, and in files of earlier versions.
        var thresholdsPercent: [String: Double]?
        /// The phases on all cores that were never launched; nil in files of earlier versions.
        var unlaunched: [ComparisonKey]?
    }

    /// The result of a search for the highest rate, for one driver and load.
    struct FoundRateFacts: Codable {
        var driver: String
        var phase: String
        /// The highest rate that kept the limits; nil if none did.
        var ratePerSecond: Double?
        /// Whether a trial at the end of the search confirmed it.
        var isConfirmed: Bool
    }

    package struct GitFacts: Codable, Sendable {
        package var commit: String
        package var isDirty: Bool
    }

    /// The version of the format.
    static let version = 1

    /// What a run came to: that of one that was killed stays ``running``.
    static let (running, ok, failed, interrupted) = ("running", "ok", "failed", "interrupted")

    var version = Self.version
    package var run: String
    package var status = Self.running
    package var started = Date()
    package var ended: Date?
    package var commandLine: [String]
    package var seed: UInt64
    /// That of the program; nil if other programs than this one were measured.
    package var buildConfiguration: String? = BuildConfiguration.current.rawValue
    package var swift: String? = BuildConfiguration.swiftVersion
    package var git: GitFacts?
    package var host = HostFacts()
    package var fileSystem: String?
    package var loadBefore = HostLoad()
    package var loadAfter: HostLoad?
    package var drivers: [DriverFacts]
    /// Nil for commands.
    package var store: StoreOptions?
    /// Nil for commands.
    package var scenario: Scenario?
    /// Nil for a run that took no turns.
    package var turns: TurnFacts?
    /// Nil for a run that did not search for rates.
    var foundRates: [FoundRateFacts]?
    /// The part of a load that the run did; nil for a load of its own.
    var shard: ShardFacts?
    /// The parts of a load whose results were merged; nil for the results of one run.
    var shards: [ShardFacts]?
    /// Why the run ended; nil for a run with a fixed number of repetitions.
    var stopping: StoppingOutcome?

    init(_ request: RunRequest, run: String) {
        self.run = run
        commandLine = request.commandLine
        seed = request.scenario.seed
        git = GitFacts.ofWorkingDirectory
        fileSystem = FileSystem(of: request.storeParent)?.name
        drivers = request.drivers.map { DriverFacts($0, in: request) }
        store = request.scenario.store
        scenario = request.scenario
    }

    /// Returns the URL of a CSV's manifest: `million.csv` has `million.manifest.json`.
    static func url(beside output: URL) -> URL {
        output.besideResult(".manifest.json")
    }

    /// Reads the manifest beside a CSV; nil if there is none.
    static func read(beside csv: URL) throws(RunError) -> Manifest? {
        let url = url(beside: csv)
        guard FileManager.default.fileExists(atPath: url.path) else { return nil }
        do {
            let manifest = try JSONFile.read(Self.self, url, kind: "a manifest")
            guard manifest.version == version else {
                throw RunError(
                    .results,
                    "\(url.relativePath): a manifest of version \(manifest.version); "
                        + "this program reads version \(version): use the bench that wrote it, or a later one")
            }
            return manifest
        } catch let error as RunError {
            throw error
        } catch {
            throw RunError(
                .results, "\(url.relativePath): not a manifest that bench run wrote: \(JSONFile.reason(error))")
        }
    }

    mutating func finish(_ outcome: RunOutcome) {
        status = outcome.isInterrupted ? Self.interrupted : outcome.failures.isEmpty ? Self.ok : Self.failed
        ended = Date()
        loadAfter = HostLoad()
        stopping = outcome.stopping
        if let stopping { scenario?.repetitions = stopping.repetitions }
        let found = outcome.foundRates.filter { $0.unsupportedReason == nil }
        if !found.isEmpty { foundRates = found.map(FoundRateFacts.init) }
    }

    /// Writes the manifest atomically.
    func write(beside output: URL) throws(RunError) {
        try JSONFile.write(self, to: Self.url(beside: output))
    }
}

extension Manifest.DriverFacts {
    fileprivate init(_ driver: any StoreDriver, in request: RunRequest) {
        let scenario = request.scenario
        let configuration = StoreConfiguration(
            directory: request.storeParent, schema: scenario.schema, options: scenario.store,
            records: RecordGenerator(entity: scenario.entity, seed: scenario.seed))
        let inspector = driver.inspector(of: configuration)
        self.init(
            name: driver.name, properties: driver.properties,
            plantsValues: driver.planter(of: configuration) != nil && scenario.plantsValues,
            inspectedBy: inspector?.name ?? "its own sessions", verifiesVersions: inspector?.countsVersions ?? false)
    }
}

extension Manifest.FoundRateFacts {
    fileprivate init(_ found: FoundRate) {
        self.init(
            driver: found.driver, phase: found.phase, ratePerSecond: found.rate, isConfirmed: found.isConfirmed)
    }
}

extension Manifest.GitFacts {
    /// The commit that the working directory has checked out; nil if it is not in a git repository, or without git.
    /// Asked once: what is measured does not change with a later commit.
    static let ofWorkingDirectory: Self? = {
        guard let commit = git(["rev-parse", "HEAD"])?.trimmingCharacters(in: .whitespacesAndNewlines),
            let changes = git(["status", "--porcelain", "--untracked-files=no"])
        else { return nil }
        return Self(commit: commit, isDirty: !changes.isEmpty)
    }()

    private static func git(_ arguments: [String]) -> String? {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = ["git"] + arguments
        let output = Pipe()
        process.standardOutput = output
        process.standardError = FileHandle.nullDevice
        process.standardInput = FileHandle.nullDevice
        guard (try? process.run()) != nil else { return nil }
        let text = output.readText()
        return process.awaitEnd() == 0 ? text : nil
    }
}

/// The build configuration of the program.
public enum BuildConfiguration: String, Sendable {
    /// Without optimisation: its times say nothing about a release build.
    case debug
    /// With optimisation.
    case release

    /// The configuration of this program.
    public static var current: Self {
        #if DEBUG
            .debug
        #else
            .release
        #endif
    }

    /// The oldest version of Swift that the compiler can be, as far as a program can tell.
    static var swiftVersion: String {
        #if compiler(>=6.4)
            "6.4 or later"
        #elseif compiler(>=6.3)
            "6.3"
        #elseif compiler(>=6.2)
            "6.2"
        #else
            "6.1"
        #endif
    }
}
