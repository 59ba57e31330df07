import BenchHarness
import Foundation
import TestSupport
import Testing

@testable import BenchCommand

/// The manifest of `bench shards kubernetes`: what Kubernetes reads in it, and what its pods run.
@Suite(
    .ownThreads, .enabled(if: Python.hasYAML, "Python's module yaml is not installed: pip install PyYAML"),
    .timeLimit(.minutes(10)))
struct KubernetesManifestTests {
    private let bench: BenchBinary

    init() throws { bench = try BenchBinary() }

    /// Prints a manifest of three shards into `job.yaml`.
    private func write(_ store: String, _ more: [String] = [], scenario: String = BenchBinary.scenario("load")) throws {
        let printed = try bench.run(
            ["shards", "kubernetes", scenario, "-n", "3", "--image", "example.com/it's:\"1\"", "--store", store]
                + [
                    "--scale", "0.01", "--repetitions", "1", "--allow-debug", "--phase", "saves", "--driver",
                    "postgres",
                ]
                + more)
        #expect(printed.code == 0, "\(printed.errors)")
        try Data(printed.output.utf8).write(to: bench.folder.appendingPathComponent("job.yaml"))
    }

    /// What Kubernetes reads in the manifest: the map and the job.
    private func documents() throws -> [[String: Any]] {
        let program = "import json, sys, yaml; json.dump(list(yaml.safe_load_all(open('job.yaml', 'rb'))), sys.stdout)"
        let outcome = try Script.run("/usr/bin/env", ["python3", "-c", program], folder: bench.folder)
        let read = try JSONSerialization.jsonObject(with: Data(outcome.output.utf8)) as? [[String: Any]]
        return try #require(read, "\(outcome.errors)")
    }

    private func value(_ object: Any?, _ path: String) -> Any? {
        path.split(separator: ".").reduce(object) { object, key in
            if let list = object as? [Any] { return Int(key).flatMap { list.indices.contains($0) ? list[$0] : nil } }
            return (object as? [String: Any])?[String(key)]
        }
    }

    private static let address = "postgresql://bench@db.example.com/bench"

    @Test(
        .enabled(
            if: Python.hasKubernetesValidate, "kubernetes-validate is not installed: pip install kubernetes-validate"))
    func theManifestIsValid() throws {
        try write(Self.address)
        let outcome = try Script.run(
            "/usr/bin/env", ["python3", "-m", "kubernetes_validate", "--strict", "job.yaml"], folder: bench.folder)
        #expect(outcome.code == 0, "\(outcome.output) \(outcome.errors)")
    }

    @Test func eachIndexHasOnePodAndNoSecondOne() throws {
        try write(Self.address)
        let job = try #require(try documents().last)
        let spec = value(job, "spec")
        #expect(value(spec, "completionMode") as? String == "Indexed")
        #expect(value(spec, "completions") as? Int == 3 && value(spec, "parallelism") as? Int == 3)
        #expect(value(spec, "backoffLimitPerIndex") as? Int == 0)
        #expect(value(spec, "template.spec.restartPolicy") as? String == "Never")
        #expect(value(spec, "template.spec.containers.0.image") as? String == "example.com/it's:\"1\"")
    }

    @Test func thePasswordIsThatOfASecret() throws {
        try write(Self.address, ["--secret", "database"])
        let variables = value(try documents().last, "spec.template.spec.containers.0.env") as? [Any] ?? []
        let password = variables.first { value($0, "name") as? String == "PGPASSWORD" }
        #expect(value(password, "valueFrom.secretKeyRef.name") as? String == "database")
        #expect(value(password, "value") == nil)
    }

    @Test func theScenarioIsThatOfTheFile() throws {
        let text = try String(contentsOfFile: BenchBinary.scenario("load"), encoding: .utf8)
        // Tabs and carriage returns do not go through a block of YAML as they are.
        for (name, content) in [("plain", text), ("odd", text.replacing("\n", with: "\t\r\n") + " \t")] {
            let file = bench.folder.appendingPathComponent("\(name).json")
            try Data(content.utf8).write(to: file)
            try write(Self.address, scenario: file.path)
            let map = try documents().first?["data"] as? [String: String]
            #expect(map?["scenario.json"]?.utf8.elementsEqual(content.utf8) == true)
        }
    }

    /// Runs the command of the container of each pod, with the variables that Kubernetes sets.
    @Test(.enabled(if: PostgreSQLServer.isInstalled, "PostgreSQL is not installed"))
    func thePodsDoOneLoadAndPrintTheResults() throws {
        let server = try PostgreSQLServer()
        try write("\(server.url())", ["--program", BenchBinary.path])
        let (map, job) = (try documents()[0], try documents()[1])
        let mount = bench.folder.appendingPathComponent("bench")
        try FileManager.default.createDirectory(at: mount, withIntermediateDirectories: false)
        for (name, text) in try #require(map["data"] as? [String: String]) {
            try Data(text.utf8).write(to: mount.appendingPathComponent(name))
        }
        let container = value(job, "spec.template.spec.containers.0")
        let command = try #require(value(container, "command") as? [String])
        #expect(command == ["/bin/sh", "/bench/shard.sh"])
        #expect(value(container, "volumeMounts.0.mountPath") as? String == "/bench")
        let variables = value(container, "env") as? [[String: Any]] ?? []
        let count = variables.first { $0["name"] as? String == "BENCH_SHARDS" }?["value"] as? String
        let run = variables.first { $0["name"] as? String == "BENCH_RUN" }
        #expect(
            value(run, "valueFrom.fieldRef.fieldPath") as? String
                == "metadata.labels['batch.kubernetes.io/controller-uid']")
        var environment = ["BENCH_SHARDS": try #require(count), "BENCH_RUN": UUID().uuidString.lowercased()]
        let running = try (0..<3).map { index in
            environment["JOB_COMPLETION_INDEX"] = "\(index)"
            let folder = bench.folder.appendingPathComponent("pod-\(index)")
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
            return try Script.start(
                command[0], [bench.folder.path + command[1]], folder: folder, environment: environment)
        }
        let outcomes = running.map { BenchBinary.Outcome($0) }
        for outcome in outcomes { #expect(outcome.code == 0, "\(outcome.errors)") }
        // As the comment of the manifest says.
        try Data(outcomes[0].output.utf8).write(to: bench.folder.appendingPathComponent("shard-0.log"))
        let manifest = try String(contentsOf: bench.folder.appendingPathComponent("job.yaml"), encoding: .utf8)
        let line = try #require(manifest.split(separator: "\n").first { $0.hasPrefix("#   sed ") })
        let unpacked = try Script.run("/bin/sh", ["-c", "\(line.dropFirst(2))"], folder: bench.folder)
        #expect(unpacked.code == 0, "\(unpacked.errors)")
        let rows = try bench.rows("shard-0-merged.csv")
        #expect(rows.map(\.phase) == ["saves"] && rows.allSatisfy { $0.verified == true })
        withExtendedLifetime(server) {}
    }
}
