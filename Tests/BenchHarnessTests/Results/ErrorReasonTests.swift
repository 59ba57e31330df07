import Foundation
import TestSupport
import Testing

@testable import BenchHarness

@Suite struct ErrorReasonTests {
    @Test func anErrorOfFoundationIsTheReasonOfTheSystem() throws {
        let missing = try TemporaryDirectory().file("missing").path
        let copy = #expect(throws: (any Error).self) {
            try FileManager.default.copyItem(atPath: missing, toPath: missing + "2")
        }
        #expect(copy?.reason == "No such file or directory")
        let write = #expect(throws: (any Error).self) {
            try FileHandle(forWritingAtPath: "/dev/full")?.write(contentsOf: Data([1]))
        }
        #expect(write?.reason == "No space left on device")
    }

    @Test func anErrorOfTheHarnessDescribesItself() {
        #expect(RunError(.output, "the reason").reason == "the reason")
    }
}
