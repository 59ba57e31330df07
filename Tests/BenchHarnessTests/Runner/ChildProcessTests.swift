import Foundation
import Testing

@testable import BenchHarness

@Suite struct ChildProcessTests {
    private func run(_ script: String, input: String = "") throws -> (lines: [String], end: String?) {
        let child = try ChildProcess(["/bin/sh", "-c", script], input: Data(input.utf8))
        var lines: [String] = []
        child.forEachLine { lines.append(String(decoding: $0, as: UTF8.self)) }
        return (lines, child.wait {})
    }

    @Test func inputGoesInAndLinesComeOut() throws {
        let (lines, end) = try run("cat >&3", input: "one\ntwo\n")
        #expect(lines == ["one", "two"])
        #expect(end == nil)
    }

    @Test func crashIsNamedByItsSignal() throws {
        #expect(try run("kill -SEGV $$").end == "was ended by SIGSEGV")
    }

    @Test func exitCodeIsTold() throws {
        #expect(try run("exit 7").end == "ended with exit code 7")
    }

    @Test func programThatIsNotThereIsAnError() {
        #expect(throws: RunError.self) { try ChildProcess(["/no/such/program"], input: Data()) }
    }
}
