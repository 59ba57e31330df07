import Foundation
import TestSupport
import Testing

/// Changing and making many items at once.
@Suite struct BulkTests {
    @Test func checkAllShowsTheNewValuesOfObjectsThatWereFetchedBefore() throws {
        let todo = try TodoBinary()
        for name in ["one", "two", "three"] { try todo.run("add", name) }
        try todo.run("toggle", "2")
        let outcome = try todo.run("check-all")
        #expect(outcome.code == 0)
        #expect(outcome.lines == ["   1 [x] one", "   2 [x] two", "   3 [x] three"])
        #expect(outcome.errors == "2 items checked off\n")
        #expect(try todo.run("list", "--open").lines.isEmpty)
    }

    @Test func populatingHappensOnce() throws {
        let todo = try TodoBinary()
        #expect(try todo.run("populate", "30").output == "Populated the list with 30 items.\n")
        let again = try todo.run("populate", "5")
        #expect(again.code == 0)
        #expect(again.output == "The list was populated before, with 30 items; that happens once.\n")
        #expect(try todo.run("list").lines == (0..<30).map { "\($0 < 9 ? "   " : "  ")\($0 + 1) [ ] Item \($0)" })
    }

    @Test func populatingIsRememberedThoughTheItemsAreGone() throws {
        let todo = try TodoBinary()
        try todo.run("populate", "2")
        try todo.run("delete", "1", "2")
        #expect(try todo.run("populate", "2").output.contains("before"))
        #expect(try todo.run("list").lines.isEmpty)
    }
}
