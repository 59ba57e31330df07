import BenchHarness
import Foundation
import TestSupport
import Testing

@testable import BenchCommand

/// The script of `bench shards ssh`, run as it is printed, with a real server of ssh.
@Suite(
    .ownThreads, .enabled(if: PostgreSQLServer.isInstalled, "PostgreSQL is not installed"),
    .enabled(
        if: Daemons.areInstalled("sshd", "ssh", "ssh-keygen"), "sshd is not installed: apt-get install openssh-server"),
    .timeLimit(.minutes(10)))
struct SSHScriptTests {
    private let bench: BenchBinary
    private let server: PostgreSQLServer
    private let daemons: Daemons
    /// Where ssh is one that knows the machines `one`, `two` and `closed`.
    private let environment: [String: String]

    init() throws {
        bench = try BenchBinary()
        server = try PostgreSQLServer()
        let folder = bench.folder.appendingPathComponent("ssh")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
        let port = try Daemons.freePort()
        func write(_ name: String, _ text: String) throws {
            try Data(text.utf8).write(to: folder.appendingPathComponent(name))
        }
        for key in ["host", "user"] {
            _ = try Script.run(
                "/usr/bin/env", ["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", key], folder: folder)
        }
        try write(
            "sshd_config",
            """
            Port \(port)
            ListenAddress 127.0.0.1
            HostKey \(folder.path)/host
            AuthorizedKeysFile \(folder.path)/user.pub
            StrictModes no
            PidFile none

            """)
        try write(
            "config",
            """
            Host closed
                Port \(Daemons.freePort())
            Host one two closed
                HostName 127.0.0.1
                Port \(port)
                IdentityFile \(folder.path)/user
                StrictHostKeyChecking no
                UserKnownHostsFile /dev/null
                LogLevel ERROR

            """)
        // As root, sshd wants a folder that a package makes at the start of the system.
        if geteuid() == 0 { mkdir("/run/sshd", 0o755) }
        let sshd = try #require(Daemons.path(of: "sshd"))
        daemons = try Daemons(
            ["'\(sshd)' -D -e -f '\(folder.path)/sshd_config'"], log: folder.appendingPathComponent("log"))
        let ssh = try #require(Daemons.path(of: "ssh"))
        let programs = folder.appendingPathComponent("bin")
        try WrittenProgram.write(
            script: "exec '\(ssh)' -F '\(folder.path)/config' \"$@\"", to: programs.appendingPathComponent("ssh"))
        let path = ProcessInfo.processInfo.environment["PATH"] ?? ""
        environment = ["PATH": "\(programs.path):\(path)"]
        try Daemons.wait(until: "ssh -o BatchMode=yes one true", environment: environment)
    }

    /// Prints the script for machines, and runs it.
    private func run(_ hosts: [String], _ more: [String] = []) throws -> BenchBinary.Outcome {
        let printed = try bench.run(
            [
                "shards", "ssh", BenchBinary.scenario("load"), "--store", "\(server.url())", "--program",
                BenchBinary.path,
            ]
                + [
                    "--scale", "0.01", "--repetitions", "1", "--allow-debug", "--phase", "saves", "--driver",
                    "postgres",
                ]
                + hosts.flatMap { ["--host", $0] } + more)
        #expect(printed.code == 0, "\(printed.errors)")
        let script = bench.folder.appendingPathComponent("load.sh")
        try Data(printed.output.utf8).write(to: script)
        return try Script.run("/bin/sh", [script.path], folder: bench.folder, environment: environment)
    }

    private var results: URL? {
        bench.files.first { $0.hasPrefix("bench-load-ssh-") }.map { bench.folder.appendingPathComponent($0) }
    }

    @Test func theScriptRunsTheShardsOnTheMachinesAndFetchesTheResults() throws {
        let outcome = try run(["one", "two"], ["-n", "3"])
        #expect(outcome.code == 0, "\(outcome.errors)")
        let results = try #require(results)
        #expect(outcome.output == "Results of all shards: \(results.lastPathComponent)/shard-0-merged.csv\n")
        let rows = try ResultTable(contentsOf: results.appendingPathComponent("shard-0-merged.csv")).rows
        #expect(rows.map(\.phase) == ["saves"] && rows.allSatisfy { $0.verified == true })
        let names = try FileManager.default.contentsOfDirectory(atPath: results.path)
        #expect(names.contains("shard-2.csv") && names.contains("shard-2.log") && !names.contains("shard-2.tar"))
        withExtendedLifetime(daemons) {}
    }

    @Test func aMachineThatCannotBeReachedIsNamed() throws {
        let outcome = try run(["one", "closed"], ["--meeting-wait", "1s"])
        #expect(outcome.code != 0)
        #expect(outcome.errors.contains("shard 1 ended with 255"), "\(outcome.errors)")
        #expect(outcome.errors.contains("shard 1 is missing after 1 s"), "\(outcome.errors)")
        withExtendedLifetime(daemons) {}
    }
}
