import BenchHarness
import Foundation
import Processes
import Testing

/// The program and its children, some of which it kills.
@Suite(.ownThreads) struct TortureCommandTests {
    /// A number in the table, by the beginning of its line and the column from the right.
    private func figure(_ title: String, in table: String, column: Int = 0) throws -> Int {
        let line = try #require(table.split(separator: "\n").first { $0.hasPrefix(title) }, "no \(title) in \(table)")
        let words = line.split(separator: " ").reversed().map { $0.replacingOccurrences(of: ",", with: "") }
        return try #require(Int(words[column]))
    }

    @Test(arguments: ["load", "ycsb-f"]) func killedProcessesLoseNothing(scenario: String) throws {
        let bench = try BenchBinary()
        let outcome = try bench.run(
            "torture", BenchBinary.scenario(scenario), "--scale", "0.002", "--rounds", "2", "--driver", "sqlite",
            "--driver", "managed", "--seed", "6")
        #expect(outcome.code == 0, "\(outcome.errors)\(outcome.output)")
        for column in [0, 1] {
            #expect(try figure("rounds", in: outcome.output, column: column) == 2)
            #expect(try figure("killed", in: outcome.output, column: column) > 0)
            #expect(try figure("writes acknowledged", in: outcome.output, column: column) > 0)
            #expect(try figure("losses found", in: outcome.output, column: column) == 0)
        }
        #expect(outcome.output.contains("Seed: 6. With synchronous=normal, no acknowledged write may be lost"))
        #expect(outcome.errors.contains("round 1/2"))
        #expect(bench.files.isEmpty)
    }

    @Test func killedProcessesKeepRecordsOfSeveralEntities() throws { try expectNoLosses(Self.lists) }

    @Test func killedProcessesLoseNoRecordsThatInherit() throws { try expectNoLosses(Self.media) }

    private func expectNoLosses(_ scenario: String) throws {
        let bench = try BenchBinary()
        let file = bench.folder.appendingPathComponent("scenario.json")
        try scenario.write(to: file, atomically: true, encoding: .utf8)
        let outcome = try bench.run(
            "torture", file.path, "--rounds", "3", "--driver", "sqlite", "--driver", "sqlite-tuned", "--driver",
            "managed", "--seed", "6")
        #expect(outcome.code == 0, "\(outcome.errors)\(outcome.output)")
        for column in 0..<3 {
            #expect(try figure("killed", in: outcome.output, column: column) > 0)
            #expect(try figure("writes acknowledged", in: outcome.output, column: column) > 0)
            #expect(try figure("losses found", in: outcome.output, column: column) == 0)
        }
    }

    /// Items that move from list to list, and lists that change beside them.
    private static let lists = """
        {
          "version": 3, "name": "lists", "records": 300,
          "entities": [
            {
              "name": "Item",
              "attributes": [
                { "name": "number", "type": "int64", "unique": true, "generator": { "kind": "sequence" } },
                { "name": "title", "type": "string", "generator": { "kind": "words", "count": 2 } }
              ],
              "relationships": [
                { "name": "list", "to": "List", "inverse": "items" },
                { "name": "after", "to": "Item", "inverse": "before" }
              ]
            },
            {
              "name": "List", "records": 20,
              "attributes": [
                { "name": "number", "type": "int64", "unique": true, "generator": { "kind": "sequence" } },
                { "name": "title", "type": "string", "generator": { "kind": "words", "count": 2 } }
              ]
            }
          ],
          "phases": [
            {
              "name": "move", "kind": "mixed", "from": "seeded", "workers": 2, "duration_s": 1,
              "operations": { "update": 0.7, "insert": 0.3 }, "fields_per_update": 0
            },
            {
              "name": "rename", "kind": "mixed", "from": "seeded", "entity": "List", "workers": 2, "duration_s": 1,
              "operations": { "update": 1 }
            }
          ]
        }
        """

    /// Songs, which move from album to album, clips and other media.
    private static let media = """
        {
          "version": 3, "name": "media", "records": 300,
          "entities": [
            {
              "name": "Medium",
              "attributes": [
                { "name": "number", "type": "int64", "unique": true, "generator": { "kind": "sequence" } },
                { "name": "title", "type": "string", "generator": { "kind": "words", "count": 2 } },
                { "name": "plays", "type": "int64", "generator": { "kind": "uniform", "min": 0, "max": 9 } }
              ]
            },
            {
              "name": "Song", "superentity": "Medium", "share": 0.5,
              "attributes": [{ "name": "artist", "type": "string", "generator": { "kind": "words", "count": 2 } }],
              "relationships": [{ "name": "album", "to": "Album", "inverse": "songs" }]
            },
            {
              "name": "Clip", "superentity": "Medium", "share": 0.2,
              "attributes": [
                { "name": "seconds", "type": "double", "generator": { "kind": "uniform", "min": 1, "max": 60 } }
              ]
            },
            {
              "name": "Album", "records": 20,
              "attributes": [{ "name": "title", "type": "string", "generator": { "kind": "words", "count": 2 } }]
            }
          ],
          "phases": [
            {
              "name": "edit", "kind": "mixed", "from": "seeded", "workers": 2, "duration_s": 1,
              "operations": { "update": 0.5, "insert": 0.3, "delete": 0.2 }, "fields_per_update": 0
            },
            {
              "name": "play", "kind": "saves", "from": "seeded", "mode": "unobserved", "writers": 2, "duration_s": 1,
              "inserts_per_save": 3, "changes_per_save": 2, "deletes_per_save": 1, "set": { "plays": { "add": 1 } }
            }
          ]
        }
        """

    @Test func driverThatLosesWritesIsCaughtAndItsStoreKept() throws {
        let bench = try BenchBinary()
        try FileManager.default.createDirectory(
            at: bench.folder.appendingPathComponent("stores"), withIntermediateDirectories: false)
        let outcome = try bench.run(
            BenchBinary.slowed,
            [
                "torture", BenchBinary.scenario("load"), "--scale", "0.002", "--rounds", "20", "--driver", "lossy",
                "--seed", "6", "--store-dir", "stores", "--quiet",
            ])
        #expect(outcome.code == 3, "\(outcome.errors)\(outcome.output)")
        #expect(try figure("losses found", in: outcome.output) > 0)
        #expect(outcome.errors.contains("error: lossy: ") && outcome.errors.contains("the seed is 6"))
        let stores = bench.folder.appendingPathComponent("stores")
        let kept = try #require(try FileManager.default.contentsOfDirectory(atPath: stores.path).first)
        let folder = stores.appendingPathComponent("\(kept)/lossy")
        #expect(FileManager.default.fileExists(atPath: folder.appendingPathComponent("store/store.sqlite").path))
        #expect(try !FileManager.default.contentsOfDirectory(atPath: folder.path + "/journals").isEmpty)
    }

    @Test func killedProcessesKeepRelationsWhole() throws {
        let bench = try BenchBinary()
        let outcome = try bench.run(BenchBinary.relations, ["torture", "--rounds", "2", "--seed", "6"])
        #expect(try figure("writes acknowledged", in: outcome.output) > 0)
        #expect(try figure("checks of the whole store", in: outcome.output) > 0)
        #expect(outcome.code == 0, "\(outcome.errors)\(outcome.output)")
        #expect(bench.files.isEmpty)
    }

    @Test func interruptedTortureTellsWhatItDid() throws {
        let bench = try BenchBinary()
        let (process, output, errors) = try bench.start([
            "torture", BenchBinary.scenario("load"), "--scale", "0.002", "--minutes", "10", "--driver", "sqlite",
        ])
        // After the first round there is something to tell.
        var notes = ""
        while !notes.contains("round 1 ") {
            let data = errors.fileHandleForReading.availableData
            if data.isEmpty { break }
            notes += String(decoding: data, as: UTF8.self)
        }
        kill(process.processIdentifier, SIGINT)
        let rest = errors.readText()
        let table = output.readText()
        #expect(process.awaitEnd() == 130)
        #expect(rest.contains("interrupted"))
        #expect(table.contains("losses found"))
        #expect(bench.files.isEmpty)
    }

    @Test(arguments: [
        [], ["nope"], [BenchBinary.smoke], [BenchBinary.scenario("ycsb-c")],
        [BenchBinary.scenario("load"), "--rounds", "0"], [BenchBinary.scenario("load"), "--minutes", "-1"],
        [BenchBinary.scenario("load"), "--minutes", "1", "--rounds", "1"],
        [BenchBinary.scenario("load"), "--processes", "0"], [BenchBinary.scenario("load"), "--driver", "sqlit"],
        [BenchBinary.scenario("load"), "--store-dir", "missing"], [BenchBinary.scenario("load"), "--seed", "x"],
    ])
    func mistakeIsAnsweredWithOneLine(arguments: [String]) throws {
        let bench = try BenchBinary()
        let outcome = try bench.run(["torture"] + arguments)
        #expect(outcome.code == 2)
        #expect(outcome.errors.hasPrefix("bench: error: ") && outcome.errors.split(separator: "\n").count == 1)
        #expect(bench.files.isEmpty)
    }

    /// Root may write everywhere but where nothing can be made.
    @Test(arguments: [
        ["torture", BenchBinary.scenario("load")],
        ["ab", BenchBinary.smoke, "--allow-debug", "--base-driver", "sqlite", "--new-driver", "managed"],
    ])
    func folderWithoutPermissionIsAnsweredWithTheOptionForAnother(arguments: [String]) throws {
        let bench = try BenchBinary()
        let script = "cd /proc && exec \"$0\" \"$@\""
        let outcome = try bench.run(URL(filePath: "/bin/sh"), ["-c", script, BenchBinary.path] + arguments)
        #expect(outcome.code == 2)
        #expect(
            outcome.errors.contains("in /proc, which is not writable; --store-dir DIR sets another"),
            "\(outcome.errors)")
    }

    @Test(arguments: [
        ([BenchBinary.scenario("load")], "this program tortures with relations, not a scenario of yours"),
        (["--set", "records=5"], "this program tortures with relations, not a scenario of yours; found --set"),
        (["--scale", "0.1"], "managed cannot do relations: 5 records are too few"),
    ]) func aProgramWithATaskOfItsOwnTakesNoScenario(arguments: [String], message: String) throws {
        let bench = try BenchBinary()
        let outcome = try bench.run(BenchBinary.relations, ["torture"] + arguments)
        #expect(outcome.code == 2 && outcome.errors.contains(message), "\(outcome.errors)")
        #expect(outcome.errors.split(separator: "\n").count == 1)
    }

    @Test func scenarioThatWillDoIsNamed() throws {
        let bench = try BenchBinary()
        let outcome = try bench.run("torture", BenchBinary.smoke)
        #expect(outcome.errors.contains("load or ycsb-a"))
    }
}
