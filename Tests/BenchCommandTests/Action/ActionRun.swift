import Foundation
import TestSupport

/// The script of the GitHub action, run as a runner would run it, with the program that is built already.
struct ActionRun {
    /// How one job ended.
    struct Job {
        var code: Int32
        var log: String
        var summary: String
        var outputs: [String: String]
    }

    let bench: BenchBinary

    /// Puts a scenario of one quick phase into a new folder, in which every job runs.
    init() throws {
        bench = try BenchBinary()
        let scenario = """
            { "version": 3, "name": "quick", "seed": 1, "records": 50, "repetitions": 5, "drivers": ["sqlite"],
              "entities": [{ "name": "Item", "attributes": [
                { "name": "name", "type": "string", "generator": { "kind": "sequence", "prefix": "Item " } } ] }],
              "phases": [ { "name": "seed", "kind": "seed", "from": "empty" } ] }
            """
        try Data(scenario.utf8).write(to: file("quick.json"))
    }

    func file(_ name: String) -> URL { bench.folder.appendingPathComponent(name) }

    /// Runs the script with inputs named as action.yml passes them, without their prefix, by default in the folder of
    /// the scenario.
    func job(
        _ inputs: [String: String], in folder: URL? = nil, program: String = Repository.url(".ci/action.sh").path,
        arguments: [String] = [],
        environment others: [String: String] = [:]
    ) throws -> Job {
        for name in ["summary", "outputs"] { try Data().write(to: file(name)) }
        var environment = [
            "BENCH": BenchBinary.path, "GITHUB_STEP_SUMMARY": file("summary").path,
            "GITHUB_OUTPUT": file("outputs").path,
            "BENCH_SCENARIO": "quick.json", "BENCH_RUN_ARGUMENTS": "--allow-debug",
            // The tests themselves may run in a pull request.
            "GITHUB_BASE_REF": "", "GITLAB_CI": "",
        ]
        environment.merge(others) { $1 }
        for (name, value) in inputs { environment["BENCH_\(name)"] = value }
        let outcome = try Script.run(program, arguments, folder: folder ?? bench.folder, environment: environment)
        return Job(
            code: outcome.code, log: outcome.output + outcome.errors,
            summary: try String(contentsOf: file("summary"), encoding: .utf8), outputs: try outputs())
    }

    /// Writes `base.csv`, in which every phase took `duration` nanoseconds if it is given.
    func makeBaseline(duration: Int? = nil) throws {
        _ = try job(["OUTPUT": "base.csv"])
        guard let duration else { return }
        var lines = try String(contentsOf: file("base.csv"), encoding: .utf8).split(separator: "\n").map(String.init)
        guard let column = lines[0].split(separator: ",").firstIndex(of: "duration_ns") else { return }
        for index in lines.indices.dropFirst() {
            var fields = lines[index].split(separator: ",", omittingEmptySubsequences: false).map(String.init)
            fields[column] = String(duration)
            lines[index] = fields.joined(separator: ",")
        }
        try Data((lines.joined(separator: "\n") + "\n").utf8).write(to: file("base.csv"))
    }

    /// Values between delimiters: `name<<delimiter`, the value, the delimiter.
    private func outputs() throws -> [String: String] {
        let lines = try String(contentsOf: file("outputs"), encoding: .utf8).split(separator: "\n").map(String.init)
        var outputs: [String: String] = [:]
        for start in stride(from: 0, to: lines.count - 2, by: 3) {
            let parts = lines[start].components(separatedBy: "<<")
            if parts.count == 2, lines[start + 2] == parts[1] { outputs[parts[0]] = lines[start + 1] }
        }
        return outputs
    }
}
