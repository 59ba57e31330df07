import BenchHarness
import Foundation
import TestSupport
import Testing

@testable import BenchCommand

/// The script of `bench shards slurm`, given to a real Slurm with a single node.
@Suite(
    .ownThreads, .enabled(if: PostgreSQLServer.isInstalled, "PostgreSQL is not installed"),
    .enabled(
        if: geteuid() == 0 && Daemons.areInstalled("slurmctld", "slurmd", "sbatch", "munged"),
        "Slurm is not installed, or the user is not root: apt-get install slurm-wlm"),
    .timeLimit(.minutes(10)))
struct SlurmScriptTests {
    private let bench: BenchBinary
    private let server: PostgreSQLServer
    private let authority: Daemons
    private let daemons: Daemons
    private let environment: [String: String]

    init() throws {
        bench = try BenchBinary()
        server = try PostgreSQLServer()
        let folder = bench.folder.appendingPathComponent("slurm")
        for name in ["spool", "state"] {
            try FileManager.default.createDirectory(
                at: folder.appendingPathComponent(name), withIntermediateDirectories: true)
        }
        let path = folder.path
        let host = try Script.run("/bin/hostname", ["-s"]).output.trimmingCharacters(in: .whitespacesAndNewlines)
        let key = Data((0..<1_024).map { _ in UInt8.random(in: .min ... .max) })
        try key.write(to: folder.appendingPathComponent("key"))
        chmod("\(path)/key", 0o600)
        let configuration = """
            ClusterName=test
            SlurmctldHost=\(host)(127.0.0.1)
            SlurmUser=root
            SlurmdUser=root
            AuthType=auth/munge
            AuthInfo=socket=\(path)/socket
            CredType=cred/munge
            SlurmctldPort=\(try Daemons.freePort())
            SlurmdPort=\(try Daemons.freePort())
            SlurmctldPidFile=\(path)/slurmctld.pid
            SlurmdPidFile=\(path)/slurmd.pid
            SlurmdSpoolDir=\(path)/spool
            StateSaveLocation=\(path)/state
            ProctrackType=proctrack/pgid
            TaskPlugin=task/none
            JobAcctGatherType=jobacct_gather/none
            SelectType=select/cons_tres
            SelectTypeParameters=CR_Core
            MpiDefault=none
            ReturnToService=2
            SlurmdParameters=config_overrides
            NodeName=\(host) NodeAddr=127.0.0.1 CPUs=8 State=UNKNOWN
            PartitionName=all Nodes=\(host) Default=YES MaxTime=INFINITE State=UP OverSubscribe=YES

            """
        let file = folder.appendingPathComponent("slurm.conf")
        try Data(configuration.utf8).write(to: file)
        environment = ["SLURM_CONF": file.path]
        let munge = ["key-file=key", "socket=socket", "pid-file=pid", "log-file=log", "seed-file=seed"].map {
            "'--" + $0.replacing("=", with: "=\(path)/") + "'"
        }
        authority = try Daemons(
            ["munged --foreground --force " + munge.joined(separator: " ")],
            log: folder.appendingPathComponent("munged"))
        try Daemons.wait(until: "test -S '\(path)/socket'")
        daemons = try Daemons(
            ["slurmctld -D", "slurmd -D"], log: folder.appendingPathComponent("output"), environment: environment)
        try Daemons.wait(until: "sinfo -h -o %T | grep -q idle", environment: environment)
    }

    @Test func theArrayDoesOneLoad() throws {
        let printed = try bench.run([
            "shards", "slurm", BenchBinary.scenario("load"), "-n", "3", "--store", "\(server.url())", "--program",
            BenchBinary.path, "--scale", "0.01", "--repetitions", "1", "--allow-debug", "--phase", "saves", "--driver",
            "postgres",
        ])
        #expect(printed.code == 0, "\(printed.errors)")
        let script = bench.folder.appendingPathComponent("load.sh")
        try Data(printed.output.utf8).write(to: script)
        let outcome = try Script.run(
            "/usr/bin/env", ["sbatch", "--wait", script.path], folder: bench.folder, environment: environment)
        let logs = try bench.files.filter { $0.hasSuffix(".log") }.map {
            try String(contentsOf: bench.folder.appendingPathComponent($0), encoding: .utf8)
        }
        #expect(outcome.code == 0, "\(outcome.errors) \(logs)")
        let folder = try #require(bench.files.first { $0.wholeMatch(of: /bench-load-[0-9]+/) != nil })
        let merged = bench.folder.appendingPathComponent("\(folder)/shard-0-merged.csv")
        let rows = try ResultTable(contentsOf: merged).rows
        #expect(rows.map(\.phase) == ["saves"] && rows.allSatisfy { $0.verified == true })
        #expect(logs.count == 3)
        withExtendedLifetime((daemons, authority)) {}
    }
}
