import BenchHarness
import Foundation
import Testing

/// `bench init` through the binary.
@Suite(.ownThreads) struct InitCommandTests {
    @Test func itsScenarioIsValidAndEveryDriverDoesAllOfIt() throws {
        let bench = try BenchBinary()
        let outcome = try bench.run("init", "inbox")
        #expect(outcome.code == 0 && outcome.output.hasPrefix("Wrote Scenarios/inbox.json."), "\(outcome.errors)")
        #expect(try bench.run("validate", "inbox").output == "Scenarios/inbox.json: valid\n")
        let run = try bench.run(
            "run", "inbox", "--allow-debug", "--quiet", "--scale", "0.05", "--repetitions", "1", "--output", "a.csv")
        #expect(run.code == 0, "\(run.output)\(run.errors)")
        let rows = try bench.rows("a.csv")
        #expect(rows.count == 15 && rows.allSatisfy { $0.status == .ok && $0.verified == true })
    }

    @Test func whatExistsIsKeptUnlessForced() throws {
        let bench = try BenchBinary()
        #expect(try bench.run("init", "inbox.json").code == 0)
        let file = bench.folder.appendingPathComponent("Scenarios/inbox.json")
        try Data("mine".utf8).write(to: file)
        let outcome = try bench.run("init", "inbox")
        #expect(outcome.code == 2 && outcome.errors.contains("Scenarios/inbox.json exists; --force replaces it"))
        #expect(try String(contentsOf: file, encoding: .utf8) == "mine")
        #expect(try bench.run("init", "inbox", "--force").code == 0)
        #expect(try bench.run("validate", "inbox").code == 0)
    }

    @Test(arguments: [
        ("a b", "cannot be the name of a scenario"), ("../up", "cannot be the name"), ("", "needs NAME"),
        ("a\"b", "cannot be the name"),
    ])
    func mistakesAreAnsweredWithOneLine(name: String, words: String) throws {
        let bench = try BenchBinary()
        let outcome = try bench.run(name.isEmpty ? ["init"] : ["init", name])
        #expect(outcome.code == 2 && outcome.errors.contains(words), "\(outcome.errors)")
        #expect(outcome.errors.split(separator: "\n").count == 1 && bench.files.isEmpty)
    }

    @Test func aFolderThatCannotBeWrittenIsNamed() throws {
        let bench = try BenchBinary()
        try Data().write(to: bench.folder.appendingPathComponent("Scenarios"))
        let outcome = try bench.run("init", "inbox")
        #expect(outcome.code == 2 && outcome.errors.contains("cannot write Scenarios/inbox.json"), "\(outcome.errors)")
    }
}
