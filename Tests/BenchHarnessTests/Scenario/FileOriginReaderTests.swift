import Foundation
import TestSupport
import Testing

@testable import BenchHarness

@Suite struct FileOriginReaderTests {
    private let folder: TemporaryDirectory
    private let path: String

    init() throws {
        folder = try TemporaryDirectory()
        path = try folder.write(Data(), to: "mine.sqlite").path
    }

    private func json(_ phase: String, before: String = "") -> String {
        let head = ScenarioFixture.valid.components(separatedBy: #""phases": ["#)[0]
        return head + #""phases": [\#(before){ "name": "p", \#(phase) }]}"#
    }

    private var from: String { #""from": { "file": "\#(path)" }"# }

    @Test(arguments: [
        #""kind": "fetch", "mode": "sync", "cache": "cold""#, #""kind": "reopen""#, #""kind": "count""#,
        #""kind": "delete", "mode": "batch""#, #""kind": "update", "mode": "batch", "set": { "done": true }"#,
        #""kind": "aggregate", "function": "sum", "attribute": "score""#,
        #""kind": "page", "by": "key", "page_records": 5, "sort": [{ "key": "score" }]"#,
    ])
    func aPhaseStartsFromAFile(_ phase: String) throws {
        let read = try ScenarioFixture.read(json("\(phase), \(from)")).phases[0]
        #expect(read.from == .file && read.file == path)
        // Another goes on from it.
        let scenario = try ScenarioFixture.read(
            json(#""kind": "count", "from": "previous""#, before: #"{ "name": "q", \#(phase), \#(from) }, "#))
        #expect(scenario.phases[1].from == .previous && scenario.phases[1].file == nil)
        #expect(scenario.scaled(by: 0.1).phases[0].file == path)
    }

    @Test func aPathIsThatFromTheFolderOfTheScenario() throws {
        let text = json(#""kind": "count", "from": { "file": "mine.sqlite" }"#)
        let scenario = try folder.write(Data(text.utf8), to: "scenario.json")
        #expect(try ScenarioReader().read(contentsOf: scenario).phases[0].file == path)
        assertInvalidScenario(
            text, at: "phases[0].from.file",
            saying: "the file \"mine.sqlite\", which does not exist; expected the path of a store's file")
    }

    @Test func aFolderAndNoPathAreNamedAsSuch() {
        let words = "expected the path of a store's file, from the folder of the scenario"
        for (path, fault) in [("/", "\"/\", which is a folder"), ("", "no path")] {
            assertInvalidScenario(
                json(#""kind": "count", "from": { "file": "\#(path)" }"#), at: "phases[0].from.file",
                saying: "\(fault); \(words)")
        }
    }

    @Test(arguments: [
        (#""kind": "count", "from": "file""#, "expected one of empty, seeded, previous"),
        (#""kind": "count", "from": 1"#, "expected one of empty, seeded, previous"),
        (#""kind": "count", "from": { "fiel": "x" }"#, "Did you mean \"file\"?"),
    ])
    func aSourceIsAStateOrAFile(_ phase: String, words: String) {
        assertInvalidScenario(json(phase), at: "phases[0].from", saying: words)
    }

    @Test func kindsThatAddRecordsDoNotStartFromAFile() {
        assertInvalidScenario(
            json(#""kind": "insert", "records": 5, \#(from)"#), at: "phases[0].from",
            saying: "the kind insert with the records of a file; expected one of fetch, reopen")
    }

    @Test func whatNeedsTheNumberOrTheKeysOfTheRecordsIsRefused() {
        assertInvalidScenario(
            json(#""kind": "fetch", "mode": "async", "cancel_after_records": 3, \#(from)"#),
            at: "phases[0].cancel_after_records", saying: "with the records of a file; expected a phase from seeded")
        let drawn = #""set": { "name": { "generator": { "kind": "random", "length_bytes": 5 } } }"#
        assertInvalidScenario(
            json(#""kind": "update", "mode": "per_object", \#(drawn), \#(from)"#), at: "phases[0].from",
            saying: "after the start from a file, whose records have keys of their own; expected seeded")
    }

    /// A driver's adopter, which refuses every file.
    private struct Refusing: StoreAdopter {
        func adopt(_ url: URL, for configuration: StoreConfiguration) throws {}
        func check(_ url: URL, for schema: Schema) throws {
            throw RunError(.results, "\(url.lastPathComponent) has no \(schema.entity.name)")
        }
    }

    private struct Accepting: StoreAdopter {
        func adopt(_ url: URL, for configuration: StoreConfiguration) throws {}
        func check(_ url: URL, for schema: Schema) throws {}
    }

    /// Before anything runs, once for all phases that start from the file.
    @Test func aFileThatNoDriverCanCopyIsRefused() throws {
        let text = json("\(from), #KIND", before: #"{ "name": "q", \#(from), "kind": "count" }, "#)
            .replacing("#KIND", with: #""kind": "reopen""#)
        let errors = #expect(throws: ScenarioErrors.self) {
            try ScenarioReader(adopters: [Refusing()]).read(Data(text.utf8), file: "s.json")
        }
        #expect(errors?.all.count == 1 && errors?.all.first?.path == "phases[0].from.file")
        #expect(
            errors?.all.first?.description.contains("mine.sqlite has no Item") == true, "\(String(describing: errors))")
        _ = try ScenarioReader(adopters: [Refusing(), Accepting()]).read(Data(text.utf8), file: "s.json")
        // What is wrong with the entity may be all that is wrong with the file.
        let unsound = text.replacing(#""type": "string""#, with: #""type": "strin""#)
        let others = #expect(throws: ScenarioErrors.self) {
            try ScenarioReader(adopters: [Refusing()]).read(Data(unsound.utf8), file: "s.json")
        }
        #expect(others?.all.contains { $0.path == "phases[0].from.file" } == false)
    }

    @Test(.enabled(if: geteuid() != 0, "root may read everything")) func aFileThatMayNotBeReadIsRefused() throws {
        try FileManager.default.setAttributes([.posixPermissions: 0], ofItemAtPath: path)
        assertInvalidScenario(
            json("\(from), \"kind\": \"count\""), at: "phases[0].from.file", saying: "which this program may not read")
    }

    /// Phases after that are about the records of a file all the same.
    @Test func aFileThatIsNotThereIsTheOnlyMistake() {
        let missing = #"{ "name": "q", "from": { "file": "none" }, "kind": "delete", "mode": "batch" }, "#
        assertInvalidScenario(
            json(#""kind": "count", "from": "previous""#, before: missing), at: "phases[0].from.file",
            saying: "which does not exist")
    }

    /// What a file says of other entities is not known before it is copied.
    @Test func noPhaseLooksThroughTheRelationshipsOfAFile() throws {
        _ = try ScenarioFixture.read(ListFixture.json(#""kind": "count", \#(from)"#))
        let title = #""key": "list.title""#
        let wrong = [
            (#""kind": "count", "filter": { \#(title), "op": "==", "value": "a" }"#, "filter.key"),
            (#""kind": "fetch", "mode": "sync", "sort": [{ \#(title) }]"#, "sort[0].key"),
            (#""kind": "fetch", "mode": "sync", "follow": { "relationship": "list" }"#, "follow.relationship"),
            (#""kind": "update", "mode": "per_object", "set": { "list": 3 }"#, "set.list"),
        ]
        for (phase, path) in wrong {
            assertInvalidScenario(
                ListFixture.json("\(phase), \(from)"), at: "phases[0].\(path)",
                saying: "of the records of a file; expected an attribute of theirs")
        }
    }
}
