import BenchDrivers
import BenchHarness
import Foundation
import Testing

/// `bench describe` through the binary.
@Suite(.ownThreads) struct DescribeCommandTests {
    @Test func aStoreLikeThatOfAScenarioCanBeRun() throws {
        let bench = try BenchBinary()
        try bench.seedStore("mail", records: 2_000)
        let described = try bench.run("describe", "store.sqlite", "--output", "like.json")
        #expect(described.code == 0 && described.output.hasPrefix("Wrote like.json. Next:"), "\(described.errors)")
        #expect(try bench.run("validate", "like.json").output == "like.json: valid\n")
        let scenario = try ScenarioReader().read(contentsOf: bench.folder.appendingPathComponent("like.json"))
        #expect(
            scenario.entities.map(\.records) == [2_000, 40] && scenario.entity.attributes.count == 13)
        let run = try bench.run(
            "run", "like.json", "--allow-debug", "--quiet", "--scale", "0.1", "--repetitions", "1", "--output", "a.csv")
        #expect(run.code == 0, "\(run.output)\(run.errors)")
        let rows = try bench.rows("a.csv")
        #expect(rows.count >= 9 && rows.allSatisfy { $0.status == .ok && $0.verified == true })
    }

    @Test func withoutAnOutputTheScenarioIsPrinted() throws {
        let bench = try BenchBinary()
        try bench.seedStore("smoke", records: 100)
        let outcome = try bench.run("describe", "store.sqlite", "--entity", "Item")
        #expect(outcome.code == 0 && outcome.output.contains("\"records\": 100,"), "\(outcome.errors)")
        #expect(outcome.output.hasPrefix("// Records like those of store.sqlite, without its texts and data."))
        #expect(bench.files == ["store.sqlite"])
    }

    /// What is wrong with the file of a phase is told before a run, with its place.
    @Test func aFileIsCheckedBeforeARun() throws {
        let bench = try BenchBinary()
        try bench.seedStore("smoke", records: 100)
        let described = try bench.run("describe", "store.sqlite", "--entity", "Item").output
        let phase = #"{ "name": "count", "kind": "count", "from": { "file": "store.sqlite" } }"#
        let head = try #require(described.components(separatedBy: #""phases": ["#).first)
        let file = bench.folder.appendingPathComponent("a.json")
        try Data((head + #""phases": [\#(phase)] }"#).utf8).write(to: file)
        #expect(try bench.run("validate", "a.json").output == "a.json: valid\n")
        try Data((head + #""phases": [\#(phase)] }"#).replacing("\"Item\"", with: "\"Itm\"").utf8).write(to: file)
        for arguments in [["validate", "a.json"], ["run", "a.json", "--allow-debug"]] {
            let outcome = try bench.run(arguments)
            #expect(outcome.code == 2 && outcome.errors.contains("phases[0].from.file"), "\(outcome.errors)")
            #expect(outcome.errors.contains("store.sqlite has no entity Itm; it has Item"), "\(outcome.errors)")
            #expect(outcome.errors.split(separator: "\n").count == 1, "\(outcome.errors)")
        }
    }

    @Test(arguments: [
        (["nope.sqlite"], "there is no file nope.sqlite"), (["."], ". is a directory; expected the file of a store"),
        (["text"], "text: expected a file of SQLite"), (["empty"], "empty: there is no table with records in it"),
        (["store.sqlite", "--entity", "Itm"], "store.sqlite: there is no entity \"Itm\"; did you mean \"Item\"?"),
        (["store.sqlite", "--output", "text"], "exists; --force replaces it"),
        (["store.sqlite", "--output", "store.sqlite", "--force"], "the scenario would replace store.sqlite"),
        (["store.sqlite", "--output", "no/a.json"], "create it first"), ([], "needs FILE"),
    ])
    func mistakesAreAnsweredWithOneLine(arguments: [String], message: String) throws {
        let bench = try BenchBinary()
        try bench.seedStore("smoke", records: 10)
        try Data("this is text".utf8).write(to: bench.folder.appendingPathComponent("text"))
        try Data().write(to: bench.folder.appendingPathComponent("empty"))
        let outcome = try bench.run(["describe"] + arguments)
        #expect(outcome.code == 2 && outcome.errors.contains(message), "\(outcome.errors)")
        #expect(outcome.errors.split(separator: "\n").count == 1 && bench.files == ["empty", "store.sqlite", "text"])
    }

    /// No result is worth a store, nor its log, in which the newest records are.
    @Test(arguments: ["store.sqlite", "store.sqlite-wal", "store.sqlite-journal"])
    func aStoreIsNeverReplaced(name: String) throws {
        let bench = try BenchBinary()
        try bench.seedStore("smoke", records: 10)
        let file = bench.folder.appendingPathComponent(name)
        if name != "store.sqlite" { try Data("the newest records".utf8).write(to: file) }
        let before = try Data(contentsOf: file)
        let link = bench.folder.appendingPathComponent("link")
        try FileManager.default.createSymbolicLink(at: link, withDestinationURL: file)
        for output in [name, "link"] {
            for arguments in [
                ["run", BenchBinary.smoke, "--scale", "0.01", "--allow-debug", "--repetitions", "1"],
                ["report", BenchBinary.million],
            ] {
                let outcome = try bench.run(arguments + ["--output", output, "--force"])
                let message = "a database, which is never replaced; choose another file"
                #expect(outcome.code == 2 && outcome.errors.contains(message), "\(outcome.errors)")
                #expect(try Data(contentsOf: file) == before)
            }
        }
    }
}
