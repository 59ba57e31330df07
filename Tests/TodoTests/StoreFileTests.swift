import Foundation
import TestSupport
import Testing

/// Where the list is kept, and what happens when it cannot be kept there.
@Suite struct StoreFileTests {
    @Test func listIsKeptWhereItIsAskedFor() throws {
        var todo = try TodoBinary()
        let path = todo.folder.path
        let places: [(environment: [String: String?], arguments: [String], file: String)] = [
            (["TODO_STORE": path + "a.sqlite"], ["--store", "b/c.sqlite"], "b/c.sqlite"),
            (["TODO_STORE": path + "d/e.sqlite"], [], "d/e.sqlite"),
            (["TODO_STORE": "", "XDG_DATA_HOME": path + "f"], [], "f/todo/todo.sqlite"),
            (
                ["TODO_STORE": nil, "XDG_DATA_HOME": "relative", "HOME": path + "g"], [],
                "g/.local/share/todo/todo.sqlite"
            ),
            (["TODO_STORE": nil, "XDG_DATA_HOME": nil, "HOME": path + "h"], [], "h/.local/share/todo/todo.sqlite"),
        ]
        for place in places {
            todo.environment = place.environment
            let outcome = try todo.run(place.arguments + ["add", "x"])
            #expect(outcome.output == "   1 [ ] x\n", "\(outcome.errors)")
            #expect(FileManager.default.fileExists(atPath: path + place.file))
        }
        #expect(try todo.folder.names() == ["b", "d", "f", "g", "h"])
    }

    @Test func folderThatCannotBeMadeIsNamed() throws {
        let todo = try TodoBinary()
        try todo.folder.write("", to: "file")
        for path in ["file/below/todo.sqlite", "/dev/null/below/todo.sqlite"] {
            let outcome = try todo.run("list", "--store", path)
            #expect(outcome.code == 1)
            #expect(outcome.errors.contains("below/ cannot be made; choose another place"), "\(outcome.errors)")
        }
    }

    @Test func fileThatIsNoListIsLeftAsItIs() throws {
        let todo = try TodoBinary()
        let text = "Dear diary"
        let file = try todo.folder.write(text, to: "diary.txt")
        for arguments in [["list"], ["add", "x"], ["populate", "5"]] {
            let outcome = try todo.run(arguments + ["--store", "diary.txt"])
            #expect(outcome.code == 1)
            #expect(outcome.errors.contains("diary.txt is not a SQLite file; it was left as it is"))
            #expect(try String(contentsOf: file, encoding: .utf8) == text)
        }
        #expect(try todo.folder.names() == ["diary.txt"])
        #expect(try todo.run("list", "--store", ".").code == 1)
    }

    @Test(.enabled(if: FileManager.default.fileExists(atPath: "/dev/full")))
    func listThatCannotBeWrittenIsAFailure() throws {
        let todo = try TodoBinary()
        try todo.run("add", "one")
        let outcome = try todo.start(["list"], output: FileHandle(forWritingAtPath: "/dev/full")).finish()
        #expect(outcome.code == 1)
        #expect(outcome.errors.hasPrefix("todo: error: cannot write to standard output"))
    }
}
