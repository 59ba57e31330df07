import Foundation
import Testing

@testable import BenchHarness

@Suite struct ScenarioReaderTests {
    @Test func aFetchOfAnUnknownNumberOfRecordsCannotBeCancelled() {
        let delete = #"""
            { "name": "delete", "kind": "delete", "from": "seeded", "mode": "batch",
              "filter": { "key": "done", "op": "==", "value": true } },
            { "name": "insert", "kind": "insert", "from": "previous", "records": 5 },
            """#
        let json = ScenarioFixture.replacing(
            #"{ "name": "fetch", "kind": "fetch", "from": "seeded","#,
            with: delete + #"{ "name": "fetch", "kind": "fetch", "from": "previous","#)
        assertInvalidScenario(
            json, at: "phases[3].cancel_after_records",
            saying: "cancel_after_records after a deletion with a filter, which leaves an unknown number of records")
    }

    @Test func everyPartOfAScenarioIsRead() throws {
        let scenario = try ScenarioFixture.read(ScenarioFixture.valid)
        #expect(scenario.name == "fixture")
        #expect(scenario.records == 1_000)
        #expect(scenario.seed == 7)
        #expect(scenario.drivers == ["managed", "sqlite"])
        #expect(scenario.store == StoreOptions(synchronous: .full, pageSizeBytes: 8_192))
        #expect(scenario.entity.attributes.map(\.name) == ["name", "createdAt", "done", "score"])
        #expect(scenario.phases.map(\.kind) == ["seed", "fetch", "update", "merge", "checkpoint", "mixed", "saves"])
        #expect(scenario.phases.map(\.from) == [.empty, .seeded, .seeded, .previous, .previous, .seeded, .seeded])
    }

    @Test func whatIsLeftOutHasItsDefault() throws {
        let json = ScenarioFixture.replacing(#""store": { "synchronous": "full", "page_size_bytes": 8192 },"#, with: "")
        #expect(try ScenarioFixture.read(json).store == StoreOptions())
        #expect(try ScenarioFixture.read(json).isolation == .process)
    }

    @Test func anAttributeMayHaveAnIndex() throws {
        let name = #""name": "createdAt", "type": "date","#
        let scenario = try ScenarioFixture.read(ScenarioFixture.replacing(name, with: name + #" "indexed": true,"#))
        #expect(scenario.entity.attributes.map(\.isIndexed) == [false, true, false, false])
        assertInvalidScenario(
            replacing: #""unique": true,"#, with: #""unique": true, "indexed": true,"#,
            at: "entities[0].attributes[3].indexed", saying: "an index of a unique attribute, which has one")
    }

    @Test func thresholdsAreReadForAllPhasesAndForOne() throws {
        let json = ScenarioFixture.replacing(
            #""seed": 7"#, with: #""seed": 7, "thresholds_percent": { "duration": 7.5, "vm_steps": 0 }"#
        ).replacingOccurrences(
            of: #""save_every_records": 100"#,
            with: #""save_every_records": 100, "thresholds_percent": { "rss_peak": 9 }"#)
        let scenario = try ScenarioFixture.read(json)
        #expect(scenario.thresholdsPercent == ["duration": 7.5, "vm_steps": 0])
        #expect(scenario.phases[0].thresholdsPercent == ["rss_peak": 9])
        #expect(scenario.phases[1].thresholdsPercent == nil)
        assertInvalidScenario(
            replacing: #""seed": 7"#, with: #""thresholds_percent": { "duratoin": 3 }"#, at: "thresholds_percent",
            saying: #"Did you mean "duration"?"#)
        assertInvalidScenario(
            replacing: #""seed": 7"#, with: #""thresholds_percent": { "duration": -3 }"#,
            at: "thresholds_percent.duration", saying: "from 0.0 to 1000.0")
    }

    @Test func worksAreReadWithAllTheirKeys() throws {
        let phases = try ScenarioFixture.read(ScenarioFixture.valid).phases
        let fetch = FetchWork(
            mode: .async, sort: [SortSpec(key: "createdAt", ascending: false)],
            filter: .not(.or([.compare(key: "done", .equal, .bool(true))])), limit: 50, touch: .none,
            cancelAfterRecords: 20)
        #expect(phases[1].work == .fetch(fetch))
        let changes = [
            AttributeChange(attribute: "done", operation: .toggle),
            AttributeChange(attribute: "score", operation: .add(5)),
        ]
        #expect(phases[2].work == .update(UpdateWork(mode: .chunked, set: changes, chunkSize: 10)))
    }

    @Test func someAttributesCanBeFetchedAlone() throws {
        let whole = #""mode": "async", "touch": "none","#
        let json = ScenarioFixture.replacing(
            whole, with: #""mode": "sync", "attributes": ["score", "createdAt"], "touch": "none","#
        ).replacingOccurrences(of: #", "cancel_after_records": 20"#, with: "")
        guard let work = try ScenarioFixture.read(json).phases[1].work.as(FetchWork.self) else {
            throw CancellationError()
        }
        #expect(work.attributes == ["score", "createdAt"])
        assertInvalidScenario(
            replacing: whole, with: #""mode": "async", "attributes": ["createdAt"],"#, at: "phases[1].attributes",
            saying: "mode sync")
        let uncancelled = ScenarioFixture.replacing(#", "cancel_after_records": 20"#, with: "")
        let wrong = [
            (#"["craetedAt"]"#, "phases[1].attributes[0]", #"Did you mean "createdAt"?"#),
            (#"["createdAt", "createdAt"]"#, "phases[1].attributes[1]", "a second time"),
            (#"["score"]"#, "phases[1].attributes", #"without the sort key "createdAt""#),
            ("[]", "phases[1].attributes", "an array of 0"),
        ]
        for (names, path, words) in wrong {
            let json = uncancelled.replacingOccurrences(
                of: whole, with: #""mode": "sync", "attributes": \#(names),"#)
            assertInvalidScenario(json, at: path, saying: words)
        }
    }

    @Test func aTypingMistakeIsAnsweredOnOneLineWithItsFix() {
        let json = """
            {"version": 3, "name": "m", "records": 10,
             "entities": [{"name": "Item", "attributes": [
              {"name": "a", "type": "bool", "generator": {"kind": "constant", "value": true}}]}],
             "phases": [{"name": "f", "kind": "fecth", "from": "seeded"}]}
            """
        let error = #expect(throws: ScenarioErrors.self) { try ScenarioFixture.read(json) }
        #expect(
            error?.description == "test.json:4:35: phases[0].kind: unknown phase kind \"fecth\"; "
                + "expected \(PhaseKind.all.map(\.name).asChoice). Did you mean \"fetch\"?"
        )
    }

    @Test func unknownKeysAreRefusedWithTheNearestValidOne() {
        assertInvalidScenario(
            replacing: #""seed": 7"#, with: #""sede": 7"#, at: nil, saying: #"Did you mean "seed"?"#)
        assertInvalidScenario(
            replacing: "save_every_records", with: "save_evry_records", at: "phases[0]",
            saying: #"Did you mean "save_every_records"?"#)
        assertInvalidScenario(
            replacing: #""not": {"#, with: #""nto": {"#, at: "phases[1].filter", saying: #"Did you mean "not"?"#)
        assertInvalidScenario(
            replacing: "page_size_bytes", with: "page_size", at: "store", saying: "unknown key")
    }

    @Test(arguments: ["-5", "0", "1e3", "1000.0", "1000000001", "99999999999999999999999", "\"10\"", "null", "{}"])
    func recordsIsAnIntegerWithinBounds(_ records: String) {
        assertInvalidScenario(
            replacing: #""records": 1000"#, with: #""records": \#(records)"#, at: "records",
            saying: "expected an integer from 1 to 1,000,000,000")
    }

    @Test func namesThatOccurTwiceAreRefused() {
        assertInvalidScenario(
            replacing: #""name": "fetch","#, with: #""name": "Seed","#, at: "phases[1].name", saying: "second phase")
        assertInvalidScenario(
            replacing: #""name": "score""#, with: #""name": "DONE""#, at: "entities[0].attributes[3].name",
            saying: "second attribute")
        assertInvalidScenario(replacing: #""sqlite"]"#, with: #""managed"]"#, at: "drivers[1]", saying: "second time")
    }

    @Test func namesThatNothingBearsAreAnsweredWithTheNearest() {
        assertInvalidScenario(
            replacing: #""key": "createdAt""#, with: #""key": "createAt""#, at: "phases[1].sort[0].key",
            saying: #"Did you mean "createdAt"?"#)
        assertInvalidScenario(
            replacing: #""key": "done""#, with: #""key": "doen""#, at: "phases[1].filter.not.or[0].key",
            saying: #"Did you mean "done"?"#)
        assertInvalidScenario(
            replacing: #""score": { "add""#, with: #""scores": { "add""#, at: "phases[2].set.scores",
            saying: #"Did you mean "score"?"#)
        assertInvalidScenario(
            replacing: #""sqlite"]"#, with: #""sqlit"]"#, at: "drivers[1]", saying: #"Did you mean "sqlite"?"#)
    }

    @Test func valuesMustFitTheAttribute() {
        assertInvalidScenario(
            replacing: #""value": true"#, with: #""value": 1"#, at: "phases[1].filter.not.or[0].value",
            saying: "expected true or false")
        assertInvalidScenario(
            replacing: #""value": false"#, with: #""value": "no""#, at: "entities[0].attributes[2].generator.value",
            saying: "expected true or false")
        assertInvalidScenario(
            replacing: #"{ "add": 5 }"#, with: #"{ "toggle": true }"#, at: "phases[2].set.score",
            saying: #"unknown key "toggle""#)
        assertInvalidScenario(
            replacing: "2022-01-01T00:00:00Z", with: "2022-02-30T00:00:00Z",
            at: "entities[0].attributes[1].generator.min",
            saying: "expected a time")
        assertInvalidScenario(
            replacing: #""kind": "constant""#, with: #""kind": "sequence""#,
            at: "entities[0].attributes[2].generator.kind",
            saying: "a sequence generator for a bool attribute")
    }

    @Test func phasesMustBePossibleOnTheStoreTheyStartFrom() {
        assertInvalidScenario(
            replacing: #""from": "empty""#, with: #""from": "previous""#, at: "phases[0].from", saying: "first phase")
        assertInvalidScenario(
            replacing: #""from": "empty""#, with: #""from": "seeded""#, at: "phases[0].from", saying: "expected empty")
        assertInvalidScenario(
            replacing: #""mode": "async""#, with: #""mode": "sync""#, at: "phases[1].cancel_after_records",
            saying: "mode async")
        assertInvalidScenario(
            replacing: #""cancel_after_records": 20"#, with: #""cancel_after_records": 50"#,
            at: "phases[1].cancel_after_records", saying: "from 1 to 49")
        assertInvalidScenario(
            replacing: #""changes_per_save": 2"#, with: #""changes_per_save": 100"#, at: "phases[3]",
            saying: "<= 1,000, the records in the store")
    }

    @Test func aStoreIsMergedOnceBecauseASecondPlanWouldNameDeletedRecords() {
        assertInvalidScenario(
            replacing: #""kind": "checkpoint", "from": "previous" }"#,
            with: #"""
                "kind": "merge", "from": "previous", "writers": 1, "saves_per_writer": 1,
                "inserts_per_save": 1, "changes_per_save": 0, "deletes_per_save": 0 }
                """#, at: "phases[4].from",
            saying: "a merge of a store to which records were added, or from which some were deleted")
    }

    @Test func mergesThatWouldChangeNothingOrDoNotSayWhatAreRefused() {
        assertInvalidScenario(
            replacing: #"{ "createdAt": { "add_s": 60 } }"#, with: "{}", at: "phases[3].set",
            saying: "empty object")
        assertInvalidScenario(
            replacing: #""inserts_per_save": 3, "changes_per_save": 2, "deletes_per_save": 1"#,
            with: #""inserts_per_save": 0, "changes_per_save": 0, "deletes_per_save": 0"#, at: "phases[3]",
            saying: "saves that change nothing")
    }

    @Test func anotherVersionIsRefusedBeforeItsKeysAre() {
        assertInvalidScenario(#"{"version": 4, "tempo": "fast"}"#, at: "version", saying: "expected version 3")
        assertInvalidScenario(
            #"{"version": 2, "growth": { "maxExponent": 1 }}"#, at: "version",
            saying: "to which `bench validate --convert")
    }

    @Test func everyErrorIsToldAtOnceInTheOrderOfTheFile() throws {
        let json = ScenarioFixture.valid
            .replacingOccurrences(of: #""seed": 7"#, with: #""sede": 7"#)
            .replacingOccurrences(
                of: #""page_size_bytes": 8192"#, with: #""page_size_bytes": 8000, "cache_size_kib": 0"#
            )
            .replacingOccurrences(of: #""save_every_records": 100"#, with: #""save_every_records": -1"#)
            .replacingOccurrences(of: #""mode": "async""#, with: #""mode": "asink""#)
            .replacingOccurrences(of: #"{ "add": 5 }"#, with: #""five""#)
            .replacingOccurrences(of: #""workers": 3"#, with: #""workers": 0"#)
        let errors = try #require(throws: ScenarioErrors.self) { try ScenarioFixture.read(json) }
        #expect(
            errors.all.map(\.path) == [
                nil, "store.page_size_bytes", "store.cache_size_kib", "phases[0].save_every_records",
                "phases[1].mode", "phases[2].set.score", "phases[5].workers",
            ])
        #expect(errors.description.split(separator: "\n").count == errors.all.count)
    }

    @Test func oneMistakeInTheEntityIsNotToldAgainByEachPhaseThatNamesIt() {
        assertInvalidScenario(
            replacing: #""type": "date""#, with: #""type": "dtae""#, at: "entities[0].attributes[1].type",
            saying: #"Did you mean "date"?"#)
        assertInvalidScenario(
            replacing: #""records": 1000"#, with: #""records": 0"#, at: "records", saying: "from 1 to 1,000,000,000")
    }
}
