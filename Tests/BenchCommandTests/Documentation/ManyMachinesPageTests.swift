import BenchHarness
import Foundation
import TestSupport
import Testing

@testable import BenchCommand

/// The commands of the article "One load from many machines" work as they are printed.
@Suite(.ownThreads, .timeLimit(.minutes(10)))
struct ManyMachinesPageTests {
    private static let path = "Sources/BenchHarness/BenchHarness.docc/ManyMachines.md"
    private static let address = "postgresql://bench@db.example.com/bench"

    /// The commands of each block of the page.
    private static func blocks() throws -> [[String]] {
        let page = try String(contentsOf: Repository.url(path), encoding: .utf8)
        return page.components(separatedBy: "```console\n").dropFirst().map { block in
            block.components(separatedBy: "```")[0].split(separator: "\n").filter { $0.hasPrefix("$ ") }
                .map { String($0.dropFirst(2)) }
        }
    }

    private let bench: BenchBinary
    private let environment: [String: String]

    /// Programs of the page that are not ours do nothing; `bench` runs with few records and as a debug build.
    init() throws {
        bench = try BenchBinary()
        let programs = try bench.makeFolder("programs")
        let few = "--allow-debug --scale 0.001"
        // A busy machine may answer later than the scenario allows.
        let patient = "--set phases.soak.duration_s=1 --set phases.soak.limits.all.p99_ms=60000"
        _ = try bench.program(
            "programs/bench",
            """
            case "$1 $2" in
            "run soak") exec '\(BenchBinary.path)' "$@" \(few) --quiet \(patient) ;;
            run*) exec '\(BenchBinary.path)' "$@" \(few) --repetitions 1 --quiet ;;
            shards*) exec '\(BenchBinary.path)' "$@" --allow-debug ;;
            *) exec '\(BenchBinary.path)' "$@" ;;
            esac
            """)
        environment = ["PATH": "\(programs.path):" + (ProcessInfo.processInfo.environment["PATH"] ?? "")]
    }

    private func run(_ script: String) throws -> BenchBinary.Outcome {
        try Script.run("/bin/sh", ["-c", script], folder: bench.folder, environment: environment)
    }

    @Test(.enabled(if: PostgreSQLServer.isInstalled, "PostgreSQL is not installed"))
    func theLoadsRunAsTheyArePrinted() throws {
        let server = try PostgreSQLServer()
        var count = 0
        for commands in try Self.blocks() where commands.contains(where: { $0.hasPrefix("bench run ") }) {
            try runTogether(commands, on: server)
            count += commands.count
        }
        #expect(count == 5)
        let merge = try #require(try Self.blocks().joined().first { $0.hasPrefix("bench merge shard-0.csv ") })
        let merged = try run(merge)
        #expect(merged.code == 0, "\(merged.errors)")
        withExtendedLifetime(server) {}
    }

    /// Each shard is on a machine of its own.
    private func runTogether(_ commands: [String], on server: PostgreSQLServer) throws {
        let lines = commands.map { $0.replacing(Self.address, with: "'\(server.url())'") }
        let started = lines.map { $0.components(separatedBy: "   #")[0] + " & all=\"$all $!\"" }
        // A thread of Dispatch blocks the signal for which `wait` waits, and a program that ends lets it pass.
        let script = ["/bin/true"] + started + ["for one in $all; do wait $one || exit; done"]
        let outcome = try run(script.joined(separator: "\n"))
        #expect(outcome.code == 0, "\(commands): \(outcome.errors)")
    }

    @Test(.enabled(if: PostgreSQLServer.isInstalled, "PostgreSQL is not installed"))
    func theTorturesRunAsTheyArePrinted() throws {
        let server = try PostgreSQLServer()
        let place = try bench.makeFolder("torture-1")
        let blocks = try Self.blocks().filter { $0.contains { $0.hasPrefix("bench torture ") } }
        #expect(blocks.map(\.count) == [2])
        for commands in blocks {
            let short = commands.map {
                $0.replacing("/mnt/shared/torture-1", with: place.path)
                    .replacing("--minutes 5", with: "--rounds 1 --scale 0.002 --quiet")
            }
            #expect(zip(commands, short).allSatisfy { $0 != $1 })
            try runTogether(short, on: server)
        }
    }

    @Test func whatStartsTheShardsIsPrinted() throws {
        let commands = try Self.blocks().joined().filter { $0.hasPrefix("bench shards ") }
        #expect(commands.count == 3)
        for command in commands {
            let outcome = try run(command)
            #expect(outcome.code == 0 && outcome.errors.isEmpty, "\(outcome.errors)")
        }
        let job = try String(contentsOf: bench.folder.appendingPathComponent("job.yaml"), encoding: .utf8)
        let script = try String(contentsOf: bench.folder.appendingPathComponent("load.sh"), encoding: .utf8)
        #expect(script.contains("#SBATCH --array=0-7\n"))
        // The page repeats the commands that the manifest names.
        let named = job.split(separator: "\n").filter { $0.hasPrefix("#   ") }.map { String($0.dropFirst(4)) }
        let page = try Self.blocks().joined()
        #expect(named.count == 5 && named.allSatisfy(page.contains), "\(named)")
    }

    @Test func theManifestOfThePageIsThatOfTheCommand() throws {
        let plan = ShardPlan(
            name: "bench-ycsb-a", count: 8, scenario: "ycsb-a", scenarioText: "...\n",
            options: [["--store", Self.address]])
        let text = KubernetesManifest(
            plan: plan, image: "registry.example.com/bench:0.1.0", secret: "bench-store"
        ).text
        let section = GeneratedSection("manifest", of: Self.path)
        #expect(try section.discrepancy(from: "```yaml\n\(text)```") == nil)
        let printed = try run(
            "bench shards kubernetes ycsb-a -n 8 --image registry.example.com/bench:0.1.0 --store \(Self.address)")
        let scenario = try String(contentsOfFile: BenchBinary.scenario("ycsb-a"), encoding: .utf8)
        let whole = YAMLText.block(scenario, indent: 4)
        #expect(printed.output.contains(whole))
        #expect(
            printed.output.replacing(whole, with: YAMLText.block("...\n", indent: 4))
                .replacing(" \\\n        --allow-debug", with: "") == text)
    }
}
