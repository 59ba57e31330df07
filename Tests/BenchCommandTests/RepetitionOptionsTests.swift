import BenchHarness
import Foundation
import Testing

/// The options of `bench run` that choose what is repeated, and how often, through the binary.
@Suite(.ownThreads) struct RepetitionOptionsTests {
    private func run(_ bench: BenchBinary, _ more: String...) throws -> (BenchBinary.Outcome, [ResultRow]) {
        let fixed = ["run", BenchBinary.tiny, "--allow-debug", "--driver", "sqlite", "--scale", "0.1"]
        let outcome = try bench.run(fixed + ["--output", "a.csv", "--force"] + more)
        let csv = bench.folder.appendingPathComponent("a.csv")
        return (outcome, (try? ResultTable(contentsOf: csv).rows) ?? [])
    }

    @Test func aPhaseRunsWithThoseThatItGoesOnFrom() throws {
        let (outcome, rows) = try run(BenchBinary(), "--phase", "fetch-sync", "--repetitions", "2")
        #expect(outcome.code == 0, "\(outcome.errors)")
        #expect(rows.map(\.phase) == ["seed", "fetch-sync", "seed", "fetch-sync"])
        #expect(rows.allSatisfy { $0.verified == true })
        #expect(try run(BenchBinary(), "--phase", "seed", "--repetitions", "1").1.map(\.phase) == ["seed"])
    }

    @Test func anotherSeedMakesOtherRecordsThatAreVerifiedToo() throws {
        let bench = try BenchBinary()
        let (outcome, rows) = try run(bench, "--seed", "42", "--warmups", "1", "--repetitions", "1")
        #expect(outcome.code == 0 && rows.count == 3 && rows.allSatisfy { $0.verified == true }, "\(outcome.errors)")
        #expect(outcome.errors.contains("warm-up  sqlite  seed"))
        let manifest = bench.folder.appendingPathComponent("a.manifest.json")
        #expect(try String(contentsOf: manifest, encoding: .utf8).contains("\"seed\" : 42"))
    }

    /// The seed decides which records are of a subentity, so that a number among those means another record.
    @Test func aNumberMeansTheRecordThatTheSeedMakes() throws {
        let bench = try BenchBinary()
        let json = #"""
            { "version": 3, "name": "media", "seed": 1, "records": 4, "entities": [
              { "name": "Medium", "attributes": [
                { "name": "number", "type": "int64", "generator": { "kind": "sequence" } }] },
              { "name": "Song", "superentity": "Medium", "share": 0.5, "attributes": [
                { "name": "plays", "type": "int64", "generator": { "kind": "sequence" } }] },
              { "name": "List", "records": 2, "attributes": [
                { "name": "number", "type": "int64", "generator": { "kind": "sequence" } }],
                "relationships": [{ "name": "songs", "to": "Song", "inverse": "lists", "count": 0 }] }],
              "phases": [{ "name": "add", "kind": "update", "entity": "List", "from": "seeded", "mode": "per_object",
                "set": { "songs": { "link": 1 } } }] }
            """#
        try Data(json.utf8).write(to: bench.folder.appendingPathComponent("media.json"))
        let run = ["run", "media.json", "--allow-debug", "--driver", "managed", "--repetitions", "1", "--force"]
        for seed in 1...6 {
            let outcome = try bench.run(run + ["--output", "a.csv", "--seed", "\(seed)"])
            #expect(outcome.code == 0, "\(outcome.errors)")
        }
        let outcome = try bench.run(run + ["--scale", "0.1", "--seed", "3"])
        let message = "--scale 0.1 leaves no Song, to which add has records lead; expected a larger scale"
        #expect(outcome.code == 2 && outcome.errors.contains(message), "\(outcome.errors)")
    }

    @Test func aBudgetDecidesHowOftenARunRepeatsAndTheManifestSaysSo() throws {
        let bench = try BenchBinary()
        let (outcome, rows) = try run(bench, "--time-budget", "4s")
        #expect(outcome.code == 0, "\(outcome.errors)")
        let repetitions = rows.map(\.repetition).max() ?? 0
        #expect(rows.count == 3 * repetitions && repetitions >= 1)
        #expect(outcome.output.contains("The run stopped after \(repetitions) repetition"), "\(outcome.output)")
        let manifest = try String(
            contentsOf: bench.folder.appendingPathComponent("a.manifest.json"), encoding: .utf8)
        #expect(manifest.contains("\"reason\" : \"budget\"") && manifest.contains("\"repetitions\" : \(repetitions)"))
    }

    @Test func aPreciseRunNamesItsWidestInterval() throws {
        let (outcome, rows) = try run(BenchBinary(), "--precision", "100%", "--phase", "seed", "--repetitions", "30")
        #expect(outcome.code == 0 && rows.count >= 5, "\(outcome.errors)")
        #expect(outcome.output.contains(" of sqlite in seed (±"), "\(outcome.output)")
    }

    @Test func aRunSaysWhatItTakes() throws {
        let (outcome, _) = try run(BenchBinary(), "--repetitions", "1")
        let line = outcome.errors.split(separator: "\n").first
        #expect(line == "bench: this run takes roughly some seconds, and 1 MB of disk", "\(outcome.errors)")
        #expect(try !run(BenchBinary(), "--repetitions", "1", "--quiet").0.errors.contains("this run takes"))
    }

    @Test func storesWithoutRoomAreRefused() throws {
        let bench = try BenchBinary()
        let outcome = try bench.run("run", "million", "--allow-debug", "--output", "a.csv", "--scale", "1000")
        #expect(outcome.code == 2 && outcome.errors.contains("GB free; --store-dir puts them elsewhere"))
        #expect(outcome.errors.split(separator: "\n").count == 1 && bench.files.isEmpty, "\(outcome.errors)")
    }

    @Test(arguments: [
        (["--phase", "fetch-snyc"], "did you mean \"fetch-sync\"?"), (["--seed", "-1"], "--seed -1: expected"),
        (["--warmups", "x"], "--warmups x: expected a whole number from 0 to 100"),
        (["--precision", "2"], "--precision 2: expected a percentage above 0, such as 2%"),
        (["--precision", "0%"], "such as 2%"), (["--time-budget", "soon"], "expected a time, such as 90s, 10m or 1h"),
        (["--find-max", "--time-budget", "1m"], "has no load"),
    ])
    func mistakesAreAnsweredWithOneLine(arguments: [String], message: String) throws {
        let bench = try BenchBinary()
        let outcome = try bench.run(["run", BenchBinary.tiny, "--allow-debug", "--output", "a.csv"] + arguments)
        #expect(outcome.code == 2 && outcome.errors.contains(message), "\(outcome.errors)")
        #expect(outcome.errors.split(separator: "\n").count == 1 && bench.files.isEmpty)
    }

    /// Scenarios that came with the program are found from any folder.
    @Test func shippedScenariosAreFoundFromAnywhere() throws {
        let bench = try BenchBinary()
        #expect(try bench.run("validate", "million").output.hasSuffix("Scenarios/million.json: valid\n"))
        let list = try bench.run("list").output
        #expect(list.contains("none in Scenarios/ of the working directory\n\nscenarios that came with bench:\n"))
        #expect(list.contains("  million: 1000000 records"))
        let mistake = try bench.run("validate", "milion")
        #expect(mistake.errors.contains("expected a path, or a name in Scenarios/ or of bench list. Did you mean"))
        // One's own scenario of that name goes first.
        try FileManager.default.createDirectory(
            at: bench.folder.appendingPathComponent("Scenarios"), withIntermediateDirectories: true)
        try Data(contentsOf: URL(fileURLWithPath: BenchBinary.tiny))
            .write(to: bench.folder.appendingPathComponent("Scenarios/million.json"))
        #expect(try bench.run("validate", "million").output == "Scenarios/million.json: valid\n")
        #expect(try !bench.run("list").output.contains("million: 1000000 records"))
    }

    @Test func validateNamesWhatADriverDoesNotSupport() throws {
        let bench = try BenchBinary()
        let smoke = try String(contentsOfFile: BenchBinary.smoke, encoding: .utf8)
        let json = smoke.replacing(#""set": { "done": true }"#, with: #""set": { "name": null }"#, maxReplacements: 1)
        #expect(json != smoke)
        try Data(json.utf8).write(to: bench.folder.appendingPathComponent("a.json"))
        #expect(try bench.run("validate", "a.json").code == 0)
        let outcome = try bench.run("validate", "a.json", "--driver", "managed", "--driver", "sqlite")
        // bench run reports such a phase, and passes.
        #expect(outcome.code == 0 && outcome.errors.isEmpty)
        let lines = outcome.output.split(separator: "\n")
        #expect(
            lines.count == 3 && lines[0] == "a.json: valid" && lines[1].contains("a.json: ")
                && lines[1].contains(" does not support update-per-object: "), "\(outcome.output)")
        #expect(try bench.run("validate", "a.json", "--driver", "sqlit").errors.contains("did you mean \"sqlite\"?"))
    }
}
