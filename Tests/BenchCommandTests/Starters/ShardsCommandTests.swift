import Foundation
import TestSupport
import Testing

@testable import BenchCommand

@Suite(.ownThreads) struct ShardsCommandTests {
    private let bench: BenchBinary

    init() throws { bench = try BenchBinary() }

    private static let store = ["--store", "postgresql://bench@db.example.com/bench"]
    private static let load = [BenchBinary.scenario("load"), "--allow-debug", "--phase", "saves"]

    @Test(arguments: [
        (["slurm"] + load + store, "the number of shards is missing; give -n N"),
        (["ssh"] + load + store, "needs the machines: --host HOST"),
        (["ssh", "--host", "one"] + load + store, "the number of shards is missing"),
        (["ssh", "--host", "-oProxyCommand=x", "-n", "2"] + load + store, "expected the name of a machine"),
        (["ssh", "--host", "a b", "-n", "2"] + load + store, "expected the name of a machine"),
        (["ssh", "--host", "a", "--host", "b", "--host", "c", "-n", "2"] + load + store, "fewer shards than the 3"),
        (["slurm", "--host", "a", "-n", "2"] + load + store, "--host is for bench shards ssh"),
        (["kubernetes", "-n", "2"] + load + store, "needs --image IMAGE"),
        (["kubernetes", "-n", "2", "--image", "a", "--secret", "a b"] + load + store, "expected the name of a Secret"),
        (["kubernetes", "-n", "2", "--image", "a", "--meeting", "/mnt"] + load + store, "pods have no folder"),
        (["slurm", "-n", "2", "--name", "A"] + load + store, "expected up to 50 small letters"),
        (["slurm", "-n", "1"] + load + store, "expected a whole number from 2 to 1000"),
        (["slurm", "-n", "2"] + load, "stores in files are on one machine"),
        (["slurm", "-n", "2", "--driver", "sqlite"] + load + store, "--store and --driver sqlite"),
        (["slurm", "-n", "2", "--store", "db"] + load, "expected a URL"),
        (["slurm", "-n", "2", "--store", "postgresql://a:secret@b/c"] + load, "--store has a password"),
        (["slurm", "-n", "2", "--store", "postgresql://b/c?password=secret"] + load, "--store has a password"),
        (["slurm", "-n", "2", "--phase", "watched"] + load + store, "watched is watched"),
        (["slurm", "-n", "2", "--meeting-wait", "x"] + load + store, "--meeting-wait x: expected a time"),
        (["slurm", "-n", "2", "--find-max"] + load + store, "--find-max needs limits"),
        (["slurm", "-n", "2", "--precision", "5%"] + load + store, "unknown option \"--precision\""),
        (["slrm", "-n", "2"] + load + store, "did you mean \"slurm\"?"),
    ])
    func whatCannotBeStartedIsRefused(_ arguments: [String], _ message: String) throws {
        let outcome = try bench.run(["shards"] + arguments)
        #expect(outcome.code == 2 && outcome.output.isEmpty)
        #expect(outcome.errors.contains(message) && !outcome.errors.contains("secret@"), "\(outcome.errors)")
    }

    /// A plan whose texts would do harm if a shell took one of them for more than a word.
    private var hostile: ShardPlan {
        let texts = ShellTextTests.hostile.filter { !$0.isEmpty }
        return ShardPlan(
            name: "bench-a", count: 2, scenario: "a", scenarioText: "SCENARIO\nSHARD\n$(touch harm)\n'",
            program: "be'nch $(touch harm)", meeting: "store:a", options: texts.map { ["--set", $0] })
    }

    /// Makes the program of the plan, which notes its arguments and the scenario.
    private func makeProgram(_ name: String) throws {
        try make("programs/\(name)", "printf '%s\\0' \"$@\" >> '\(bench.folder.path)/arguments'")
    }

    private func make(_ name: String, _ text: String) throws {
        try WrittenProgram.write(script: text, to: bench.folder.appendingPathComponent(name))
    }

    /// The words that the program got, after the first `dropping`.
    private func words(_ dropping: Int) throws -> [String] {
        let data = try Data(contentsOf: bench.folder.appendingPathComponent("arguments"))
        return data.split(separator: 0, omittingEmptySubsequences: false).dropLast()
            .map { String(decoding: $0, as: UTF8.self) }.dropFirst(dropping).map { $0 }
    }

    private func expectHarmless(_ dropping: Int) throws {
        let expected = hostile.options.joined().map { Array($0.utf8) }
        #expect(try words(dropping).map { Array($0.utf8) } == expected)
        let all = FileManager.default.enumerator(atPath: bench.folder.path)?.compactMap { "\($0)" } ?? []
        #expect(!all.contains { $0.hasSuffix("harm") }, "\(all)")
    }

    private func path(_ more: String) -> [String: String] {
        ["PATH": "\(bench.folder.path)/programs:\(more)" + (ProcessInfo.processInfo.environment["PATH"] ?? "")]
    }

    @Test func theArrayScriptTakesNoTextForACommand() throws {
        try makeProgram(hostile.program)
        let script = SlurmScript(plan: hostile).text
        var environment = path("")
        (environment["SLURM_ARRAY_JOB_ID"], environment["SLURM_ARRAY_TASK_ID"]) = ("7", "1")
        let outcome = try Script.run("/bin/sh", ["-c", script], folder: bench.folder, environment: environment)
        #expect(outcome.code == 0, "\(outcome.errors)")
        try expectHarmless(6)
        let scenario = bench.folder.appendingPathComponent("bench-a-7/scenario-1.json")
        #expect(try String(contentsOf: scenario, encoding: .utf8) == hostile.scenarioText + "\n")
    }

    @Test func theScriptOfSSHTakesNoTextForACommand() throws {
        try makeProgram(hostile.program)
        let ssh = """
            [ "$1 $2 $3" = '-o BatchMode=yes --' ] || exit 9
            printf '%s' "$4" > "$PWD/host"
            shift 4
            exec "$@"
            """
        try make("programs/ssh", ssh)
        var plan = hostile
        plan.count = 1
        let host = "it's;touch$IFS\u{27}harm"
        let script = SSHScript(plan: plan, hosts: [host]).text
        let outcome = try Script.run("/bin/sh", ["-c", script], folder: bench.folder, environment: path(""))
        #expect(outcome.code == 0, "\(outcome.errors)")
        try expectHarmless(8)
        #expect(try String(contentsOf: bench.folder.appendingPathComponent("host"), encoding: .utf8) == host)
    }

    @Test func theManifestTakesNoTextForACommand() throws {
        try makeProgram(hostile.program)
        let manifest = KubernetesManifest(plan: hostile, image: "a", secret: "s")
        try Data(manifest.shard.utf8).write(to: bench.folder.appendingPathComponent("shard.sh"))
        var environment = path("")
        (environment["JOB_COMPLETION_INDEX"], environment["BENCH_SHARDS"]) = ("1", "2")
        let outcome = try Script.run(
            "/bin/sh", ["\(bench.folder.path)/shard.sh"], folder: bench.folder, environment: environment)
        #expect(outcome.code == 0, "\(outcome.errors)")
        try expectHarmless(6)
    }

    @Test func theOptionsOfARunArePassedOn() throws {
        let outcome = try bench.run(
            ["shards", "slurm", "-n", "8", "--seed", "7", "--warmups=0", "--quiet", "--meeting-wait", "5m"] + Self.load
                + Self.store)
        #expect(outcome.code == 0, "\(outcome.errors)")
        for option in ["--seed 7", "--warmups 0", "--quiet", "--meeting-wait 5m", "--phase saves", "--allow-debug"] {
            #expect(outcome.output.contains(" \\\n    \(option)"))
        }
        #expect(outcome.output.contains("#SBATCH --array=0-7\n") && outcome.errors.isEmpty)
        #expect(outcome.output.contains("--meeting \"store:slurm-$SLURM_ARRAY_JOB_ID\""))
    }

    @Test(arguments: ["postgresql:///bench", "postgresql://localhost/bench", "postgresql:///b?host=/run"])
    func aServerOnThisMachineIsWarnedOf(store: String) throws {
        let outcome = try bench.run(["shards", "slurm", "-n", "2", "--store", store] + Self.load)
        #expect(outcome.code == 0 && outcome.errors.contains("--store is a server on this machine"))
    }
}
