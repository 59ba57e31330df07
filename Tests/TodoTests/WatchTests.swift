import Foundation
import TestSupport
import Testing

@Suite struct WatchTests {
    /// However slow the machine: the watch is read until it shows what it should. Its own end is only for a watch that
    /// never does.
    @Test func whatOtherProcessesSaveIsShown() throws {
        let todo = try TodoBinary()
        try todo.run("add", "one")
        let watch = try todo.start("watch", "--seconds", "600")
        #expect(watch.outputs("   1 [ ] one\n"))
        try todo.run("add", "two")
        #expect(watch.outputs("+    2 [ ] two\n"))
        try todo.run("toggle", "1")
        #expect(watch.outputs("~    1 [x] one\n"))
        try todo.run("delete", "2")
        #expect(watch.outputs("-    2 [ ] two\n"))
        try todo.run("check-all")
        try todo.run("add", "three")
        #expect(watch.outputs("+    3 [ ] three\n"))
        watch.interrupt()
        let outcome = watch.finish()
        #expect(outcome.code == 0)
        #expect(outcome.errors.isEmpty)
        // What did not change was not shown again.
        #expect(outcome.lines.count == 5)
    }

    @Test func watchEndsByItself() throws {
        let todo = try TodoBinary()
        try todo.run("add", "one")
        let outcome = try todo.run("watch", "--seconds", "0.1")
        #expect(outcome.code == 0)
        #expect(outcome.output == "   1 [ ] one\n")
    }
}
