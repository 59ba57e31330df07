import Foundation
import TestSupport
import Testing

/// Adding, listing, toggling, deleting, each in a process of its own.
@Suite struct EditingTests {
    @Test func itemsAreAddedToggledAndDeletedByTheirNumbers() throws {
        let todo = try TodoBinary()
        #expect(try todo.run("add", "Buy", "milk").lines == ["   1 [ ] Buy milk"])
        #expect(try todo.run("add", "Call mum").lines == ["   2 [ ] Call mum"])
        #expect(try todo.run("toggle", "2").lines == ["   2 [x] Call mum"])
        #expect(try todo.run("list").lines == ["   1 [ ] Buy milk", "   2 [x] Call mum"])
        #expect(try todo.run("list", "--done").lines == ["   2 [x] Call mum"])
        #expect(try todo.run("list", "--open").lines == ["   1 [ ] Buy milk"])
        #expect(try todo.run("delete", "2").lines == ["Deleted:    2 [x] Call mum"])
        let outcome = try todo.run("list")
        #expect(outcome.lines == ["   1 [ ] Buy milk"])
        #expect(outcome.code == 0 && outcome.errors.isEmpty)
    }

    @Test func numberOfADeletedItemIsNotGivenAgain() throws {
        let todo = try TodoBinary()
        try todo.run("add", "one")
        try todo.run("add", "two")
        try todo.run("delete", "2")
        #expect(try todo.run("add", "three").lines == ["   3 [ ] three"])
    }

    @Test func itemThatIsNamedTwiceIsToggledOnce() throws {
        let todo = try TodoBinary()
        try todo.run("add", "one")
        #expect(try todo.run("toggle", "1", "1").lines == ["   1 [x] one"])
    }

    @Test(arguments: ["toggle", "delete"]) func nothingIsChangedWhenOneItemIsMissing(command: String) throws {
        let todo = try TodoBinary()
        try todo.run("add", "one")
        let outcome = try todo.run(command, "1", "7")
        #expect(outcome.code == 1)
        #expect(outcome.errors == "todo: error: there is no item 7; todo list shows the numbers\n")
        #expect(try todo.run("list").lines == ["   1 [ ] one"])
    }

    @Test func textMayBeginWithADashAfterTwoDashes() throws {
        let todo = try TodoBinary()
        #expect(try todo.run("add", "--", "--help").lines == ["   1 [ ] --help"])
    }

    @Test func textStaysOnItsLineAndCannotCommandTheTerminal() throws {
        let todo = try TodoBinary()
        try todo.run("add", "one\ntwo\u{1B}[2J")
        #expect(try todo.run("list").lines == ["   1 [ ] one\u{FFFD}two\u{FFFD}[2J"])
    }

    @Test func processesMayAddAtTheSameTime() throws {
        let todo = try TodoBinary()
        let running = try (1...5).map { try todo.start("add", "from \($0)") }
        for outcome in running.map({ $0.finish() }) { #expect(outcome.code == 0, "\(outcome.errors)") }
        #expect(try todo.run("list").lines.count == 5)
    }

    @Test func closedListIsOneFile() throws {
        let todo = try TodoBinary()
        try todo.run("add", "one")
        #expect(try todo.folder.names() == ["todo.sqlite"])
    }
}
