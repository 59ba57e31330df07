import Foundation
import TestSupport
import Testing

@Suite struct SyncTests {
    private func record(_ name: String, done: Bool, _ createdAt: String) -> String {
        #"{ "name": "\#(name)", "done": \#(done), "createdAt": "\#(createdAt)" }"#
    }

    @Test func whatIsSavedInTheBackgroundArrivesInTheList() throws {
        let todo = try TodoBinary()
        let records = [
            record("one", done: false, "2020-01-01T00:00:00Z"), record("two", done: false, "2021-01-01T00:00:00Z"),
            record("three", done: false, "2022-01-01T00:00:00.5Z"),
        ]
        try todo.folder.write("[\(records.joined(separator: ","))]", to: "first.json")
        let first = try todo.run("sync", "first.json")
        #expect(first.lines == ["+    1 [ ] one", "+    2 [ ] two", "+    3 [ ] three"], "\(first.errors)")
        #expect(first.errors == "3 added, 0 changed, 0 as they were\n")

        let changes = [
            record("one", done: true, "2020-01-01T00:00:00Z"), record("two", done: true, "2023-01-01T00:00:00Z"),
            records[2], record("four", done: true, "2024-01-01T00:00:00Z"),
        ]
        try todo.folder.write("[\(changes.joined(separator: ","))]", to: "second.json")
        let second = try todo.run("sync", "second.json")
        #expect(Set(second.lines) == ["~    1 [x] one", ">    2 [x] two", "+    4 [x] four"])
        #expect(second.errors == "1 added, 2 changed, 1 as they were\n")
        #expect(try todo.run("list").lines.map { $0.dropFirst(9) } == ["one", "three", "two", "four"])

        let third = try todo.run("sync", "second.json")
        #expect(third.output.isEmpty)
        #expect(third.errors == "0 added, 0 changed, 4 as they were\n")
    }

    @Test func emptyListIsNoMistake() throws {
        let todo = try TodoBinary()
        try todo.folder.write("[]", to: "empty.json")
        #expect(try todo.run("sync", "empty.json").code == 0)
    }

    @Test(arguments: [
        (#"{}"#, "should be a list"), (#"["#, "is not valid JSON"), ("", "is not valid JSON"),
        (#"[GOOD, 1]"#, "[1]: should be an object with name, done, createdAt"),
        (#"[GOOD, { "done": true, "createdAt": "2020-01-01T00:00:00Z" }]"#, "[1].name: is missing"),
        (#"[GOOD, { "name": 1 }]"#, "[1].name: should be a text"),
        (#"[GOOD, { "name": "" , "done": true }]"#, "[1].name: should be a text that is not empty"),
        (#"[GOOD, { "name": "b", "done": 1 }]"#, "[1].done: should be true or false"),
        (#"[GOOD, { "name": "b", "done": null }]"#, "[1].done: should be true or false"),
        (#"[GOOD, { "name": "b", "done": true, "createdAt": "today" }]"#, "[1].createdAt: should be a date and time"),
        (#"[GOOD, { "name": "b", "doen": true }]"#, "[1].doen: there is no such key; did you mean done?"),
        (#"[GOOD, GOOD]"#, "[1].name: \"a\" is at [0] already"),
    ])
    func mistakeInAFileIsNamedAndNothingIsSaved(json: String, message: String) throws {
        let todo = try TodoBinary()
        let good = record("a", done: true, "2020-01-01T00:00:00Z")
        try todo.folder.write(json.replacingOccurrences(of: "GOOD", with: good), to: "bad.json")
        let outcome = try todo.run("sync", "bad.json")
        #expect(outcome.code == 1)
        #expect(outcome.errors.hasPrefix("todo: error: bad.json: \(message)"), "\(outcome.errors)")
        #expect(outcome.output.isEmpty)
        #expect(try todo.run("list").lines.isEmpty)
    }

    @Test func missingFileIsNamed() throws {
        let todo = try TodoBinary()
        let outcome = try todo.run("sync", "nope.json")
        #expect(outcome.code == 1)
        #expect(outcome.errors == "todo: error: nope.json does not exist\n")
        #expect(try todo.run("sync", ".").errors == "todo: error: . cannot be read\n")
    }
}
