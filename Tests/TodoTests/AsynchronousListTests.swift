import Foundation
import TestSupport
import Testing

@Suite struct AsynchronousListTests {
    @Test func progressIsToldInQuietLines() throws {
        let todo = try TodoBinary()
        try todo.run("populate", "3")
        let outcome = try todo.run("list", "--async")
        #expect(outcome.code == 0)
        #expect(outcome.output == (try todo.run("list").output))
        #expect(outcome.errors == "Fetched 3 Records\n")
    }

    #if os(Linux)
        @Test(arguments: ["xterm": "\r\u{1B}[KFetched 3 Records\r\n", "dumb": "Fetched 3 Records\r\n"])
        func progressIsDrawnOverOnATerminal(term: String, expected: String) throws {
            var todo = try TodoBinary()
            try todo.run("populate", "3")
            todo.environment["TERM"] = term
            let terminal = try PseudoTerminal()
            let running = try todo.start(["list", "--async"], errors: terminal.programsEnd)
            #expect(terminal.readToEnd() == expected)
            #expect(running.finish().code == 0)
        }
    #endif

    @Test func togglingAnItemThatWasFetchedShowsAtOnce() throws {
        let todo = try TodoBinary()
        try todo.run("populate", "2")
        let outcome = try todo.run("list", "--async", "--toggle", "2")
        #expect(outcome.lines == ["   1 [ ] Item 0", "   2 [ ] Item 1", "Toggled:    2 [x] Item 1"])
        #expect(try todo.run("list", "--done").lines == ["   2 [x] Item 1"])
    }

    @Test func nothingIsToggledThatIsNotInTheList() throws {
        let todo = try TodoBinary()
        try todo.run("populate", "2")
        let outcome = try todo.run("list", "--async", "--done", "--toggle", "2")
        #expect(outcome.code == 1)
        #expect(outcome.errors.hasSuffix("todo: error: item 2 is not in this list, so nothing was toggled\n"))
        #expect(try todo.run("list", "--done").lines.isEmpty)
    }

    /// A signal may also come after the fetch; then it ends the program as usual, and the test tries again.
    @Test func interruptedFetchSaysHowManyRecordsItHadFetched() throws {
        let todo = try TodoBinary()
        let count = 200_000
        try todo.run("populate", "\(count)")
        for _ in 1...30 {
            let running = try todo.start("list", "--async")
            #expect(running.notes("Fetched"))
            running.interrupt()
            let outcome = running.finish()
            guard let told = outcome.errors.firstMatch(of: /todo: interrupted; (\d+) records had been fetched\n/),
                let fetched = Int(told.1), fetched < count
            else { continue }
            #expect(outcome.code == 130)
            #expect(fetched > 0)
            #expect(outcome.output.isEmpty)
            #expect(outcome.errors.contains("Fetched \(fetched) Records\n"))
            return
        }
        Issue.record("the fetch was over 30 times before the signal came")
    }
}
