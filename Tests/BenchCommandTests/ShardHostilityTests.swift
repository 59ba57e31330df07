import BenchHarness
import Foundation
import TestSupport
import Testing

/// Shards that are killed, whose clock is wrong, or that reach the server over another network.
@Suite(.ownThreads, .timeLimit(.minutes(10)))
struct ShardHostilityTests {
    private let bench: BenchBinary
    private let meeting: URL

    init() throws {
        bench = try BenchBinary()
        meeting = try bench.makeFolder("meeting")
    }

    private func arguments(_ index: Int, of count: Int = 2, _ more: [String]) -> [String] {
        [
            "run", BenchBinary.scenario("load"), "--scale", "0.01", "--repetitions", "1", "--allow-debug", "--quiet",
            "--phase", "at-a-rate", "--shard", "\(index)/\(count)", "--output", "shard-\(index).csv",
        ] + more
    }

    // MARK: Killed shards

    /// The messages of a shard after which it is killed: it has arrived, it is ready, and so does the load half a
    /// second later, and it has handed over its account.
    @Test(arguments: ["run-arrival-1", "1-3-ready-1", "1-3-account-1"])
    func aShardThatIsKilledIsLost(message: String) throws {
        let work = ["--driver", "sqlite", "--meeting", meeting.path, "--meeting-wait", "60s"]
        let first = try bench.start(arguments(0, work))
        let second = try bench.start(arguments(1, work))
        wait(for: message, while: second)
        if message.contains("ready") { usleep(1_500_000) }
        kill(second.process.processIdentifier, SIGKILL)
        let outcome = BenchBinary.Outcome(first)
        #expect(outcome.code == 3, "\(outcome.errors)")
        #expect(
            outcome.errors.contains("shard 1 is lost: no sign of life for 30 s; the load has no result"),
            "\(outcome.errors)")
        #expect(!bench.files.contains("shard-0-merged.csv"))
        _ = BenchBinary.Outcome(second)
    }

    /// Between the end of its load and its account, a shard compares the clocks. A pipe that is not read holds that up.
    @Test func withoutTheAccountOfAKilledShardTheAuditSaysWhatItCannotProve() throws {
        let work = ["--driver", "sqlite", "--meeting", meeting.path]
        let shards = try (0..<3).map { try bench.start(arguments($0, of: 3, work)) }
        wait(for: "1-3-ready-1", while: shards[1])
        let (pipe, clock) = (bench.folder.appendingPathComponent("pipe"), meeting.appendingPathComponent("clock-1"))
        #expect(mkfifo(pipe.path, 0o600) == 0 && rename(pipe.path, clock.path) == 0)
        wait(for: "1-3-account-2", while: shards[2])
        kill(shards[1].process.processIdentifier, SIGKILL)
        let outcomes = shards.map { BenchBinary.Outcome($0) }
        #expect(!FileManager.default.fileExists(atPath: meeting.appendingPathComponent("1-3-account-1").path))
        for outcome in [outcomes[0], outcomes[2]] {
            #expect(outcome.code == 3, "\(outcome.errors)")
            for text in [
                "repetition 1: shard 1 is lost: no sign of life for 30 s; the load has no result; audited without shard 1: of",
                "not proved: what shard 1 was told, the values of seeded records, and what was read\n",
            ] { #expect(outcome.errors.contains(text), "\(outcome.errors)") }
        }
        #expect(outcomes[0].errors.contains("error: no results of all shards: shard 1 is lost"))
        #expect(try bench.rows("shard-0.csv").map(\.verified) == [false])
        #expect(!bench.files.contains("shard-0-merged.csv"))
    }

    private func wait(for message: String, while running: BenchBinary.Running) {
        let path = meeting.appendingPathComponent(message).path
        while !FileManager.default.fileExists(atPath: path), running.process.isRunning { usleep(10_000) }
    }

    @Test func aShardThatIsKilledBeforeItArrivesIsMissing() throws {
        let work = ["--driver", "sqlite", "--meeting", meeting.path, "--meeting-wait", "3s"]
        let second = try bench.start(arguments(1, work))
        kill(second.process.processIdentifier, SIGKILL)
        _ = BenchBinary.Outcome(second)
        let outcome = try bench.run(arguments(0, work))
        #expect(outcome.errors.contains("shard 1 is missing after 3 s"), "\(outcome.errors)")
    }

    // MARK: Clocks

    private static let canShiftClocks =
        (try? Script.run("/usr/bin/env", ["unshare", "--time", "--fork", "--monotonic", "9", "true"]))?.code == 0

    /// A day more than there are signs of life would excuse.
    @Test(.enabled(if: canShiftClocks, "unshare --time does not work here: it needs root, and Linux 5.6"))
    func aClockThatIsADayOffChangesNothing() throws {
        let work = ["--driver", "sqlite", "--meeting", meeting.path]
        let first = try bench.start(arguments(0, work))
        let shifted = try Script.start(
            "/usr/bin/env",
            ["unshare", "--time", "--fork", "--monotonic", "86400", BenchBinary.path] + arguments(1, work),
            folder: bench.folder)
        for outcome in [BenchBinary.Outcome(first), BenchBinary.Outcome(shifted)] {
            #expect(outcome.code == 0, "\(outcome.errors)")
        }
        #expect(try bench.rows("shard-0-merged.csv").allSatisfy { $0.verified == true })
        let offsets = try (0..<2).map { try #require(facts($0)["clock_offset"] as? Int) }
        // Within a minute.
        #expect(abs(offsets[0] - offsets[1] - 86_400_000_000_000) < 60_000_000_000)
    }

    /// A library that shows a process another time of day.
    private static let skew = ["x86_64", "aarch64"]
        .map { "/usr/lib/\($0)-linux-gnu/faketime/libfaketimeMT.so.1" }.first(where: FileManager.default.fileExists)

    private func facts(_ shard: Int) throws -> [String: Any] {
        let manifest = bench.folder.appendingPathComponent("shard-\(shard).manifest.json")
        let facts = try JSONSerialization.jsonObject(with: Data(contentsOf: manifest)) as? [String: Any]
        return try #require(facts?["shard"] as? [String: Any])
    }

    /// Starts the second shard with a time of day that is an hour ahead.
    private func startSkewed(_ work: [String]) throws -> BenchBinary.Running {
        let environment = [
            "LD_PRELOAD=\(try #require(Self.skew))", "FAKETIME=+3600", "FAKETIME_DONT_FAKE_MONOTONIC=1",
        ]
        // In the first process that loads it, the library moves the environment, where Swift looks for the arguments.
        return try Script.start(
            "/usr/bin/env", environment + ["/usr/bin/env", BenchBinary.path] + arguments(1, work), folder: bench.folder)
    }

    @Test(
        .enabled(if: PostgreSQLServer.isInstalled, "PostgreSQL is not installed"),
        .enabled(if: skew != nil, "apt-get install faketime"))
    func aSkewedTimeOfDayChangesNothing() throws {
        let server = try #require(PostgreSQLServer.current)
        let store = ["--driver", "managed-postgres", "--store", "\(server.url())"]
        let work = store + ["--meeting", "store:skew-\(UUID().uuidString.prefix(8))", "--meeting-wait", "60s"]
        let first = try bench.start(arguments(0, work))
        let skewed = try startSkewed(work)
        let outcomes = [BenchBinary.Outcome(first), BenchBinary.Outcome(skewed)]
        for outcome in outcomes { #expect(outcome.code == 0, "\(outcome.errors)") }
        #expect(outcomes[1].errors.contains(" ahead of that of the meeting place; the results of all shards go by"))
        #expect(!outcomes[0].errors.contains("that of the meeting place"))
        #expect(try bench.rows("shard-0-merged.csv").allSatisfy { $0.verified == true })
        let offset = try #require(facts(1)["time_of_day_offset"] as? Int)
        #expect(abs(offset + 3_600_000_000_000) < 60_000_000_000)
        // The merged log is as long as the load, not as the skew.
        let log = try String(
            contentsOf: bench.folder.appendingPathComponent("shard-0-merged.hlog"), encoding: .utf8)
        let lengths = log.split(separator: "\n").filter { $0.hasPrefix("Tag=") }
            .compactMap { Double($0.split(separator: ",")[2]) }
        #expect(!lengths.isEmpty && lengths.allSatisfy { $0 < 600 })
    }

    /// The library also shows the process files with other times.
    @Test(.enabled(if: skew != nil, "apt-get install faketime"))
    func aFolderWhoseClockDiffersBetweenShardsIsNamed() throws {
        let work = ["--driver", "sqlite", "--meeting", meeting.path, "--meeting-wait", "60s"]
        let first = try bench.start(arguments(0, work))
        let skewed = BenchBinary.Outcome(try startSkewed(work))
        #expect(skewed.code == 3, "\(skewed.errors)")
        let outcome = BenchBinary.Outcome(first)
        let text = " ahead of the one that shard 0 reads"
        #expect(outcome.code == 3 && outcome.errors.contains(text), "\(outcome.errors)")
    }

    // MARK: Networks

    /// A network of its own for a process, with a link to this machine.
    private final class Network {
        let name = "bench\(getpid())"
        let address = "10.213.\(getpid() % 200 + 1).1"

        init() throws {
            let peer = address.dropLast() + "2"
            let commands = """
                ip netns add \(name) && ip link add \(link) type veth peer name far netns \(name) &&
                ip address add \(address)/24 dev \(link) && ip link set \(link) up &&
                ip -n \(name) address add \(peer)/24 dev far && ip -n \(name) link set far up
                """
            let outcome = try Script.run("/bin/sh", ["-c", commands])
            #expect(outcome.code == 0, "\(outcome.errors)")
        }

        private var link: String { "b\(getpid())" }

        deinit { _ = try? Script.run("/bin/sh", ["-c", "ip link delete \(link); ip netns delete \(name)"]) }
    }

    private static let canHaveNetworks: Bool = {
        let probe = "ip netns add bench-probe-\(getpid()) && ip netns delete bench-probe-\(getpid())"
        return (try? Script.run("/bin/sh", ["-c", probe]))?.code == 0
    }()

    @Test(
        .enabled(if: PostgreSQLServer.isInstalled, "PostgreSQL is not installed"),
        .enabled(if: canHaveNetworks, "no network can be made: it takes root, and apt-get install iproute2"))
    func hostsOnSeveralNetworksDoOneLoad() throws {
        let network = try Network()
        let server = try PostgreSQLServer(
            settings: ["listen_addresses=\(network.address)"],
            access: ["local all all trust", "host all all \(network.address)/24 trust"])
        let store = "postgresql://postgres@\(network.address)/postgres"
        let work = ["--driver", "managed-postgres", "--store", store, "--meeting", "store:net"]
        let first = try bench.start(arguments(0, work))
        let second = try Script.start(
            "/usr/bin/env", ["ip", "netns", "exec", network.name, BenchBinary.path] + arguments(1, work),
            folder: bench.folder)
        for outcome in [BenchBinary.Outcome(first), BenchBinary.Outcome(second)] {
            #expect(outcome.code == 0, "\(outcome.errors)")
        }
        #expect(try bench.rows("shard-0-merged.csv").allSatisfy { $0.verified == true })
        withExtendedLifetime((server, network)) {}
    }
}
