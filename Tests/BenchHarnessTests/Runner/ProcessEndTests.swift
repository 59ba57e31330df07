import Foundation
import Processes
import Testing

@testable import BenchHarness

/// Waiting for programs that Foundation starts.
@Suite struct ProcessEndTests {
    private func start(_ script: String) throws -> Process {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/bin/sh")
        process.arguments = ["-c", script]
        process.standardInput = FileHandle.nullDevice
        try process.run()
        return process
    }

    @Test func theCodeOfTheEndIsReturned() throws {
        #expect(try start("exit 0").awaitEnd() == 0)
        #expect(try start("exit 3").awaitEnd() == 3)
        #expect(try start("kill -KILL $$").awaitEnd() == SIGKILL)
    }

    /// What a program leaves behind keeps the socket open by which Foundation learns of the end.
    @Test func aProgramHasEndedEvenIfFoundationDoesNotNotice() throws {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/bin/sh")
        process.arguments = ["-c", "sleep 60 >/dev/null 2>&1 & echo $!; exit 3"]
        process.standardInput = FileHandle.nullDevice
        let output = Pipe()
        process.standardOutput = output
        try process.run()
        let text = output.readText()
        let left = try #require(pid_t(text.trimmingCharacters(in: .whitespacesAndNewlines)))
        defer { kill(left, SIGKILL) }
        #expect(process.awaitEnd() == 3)
        #expect(kill(left, 0) == 0)
    }

    @Test func theCodeIsReturnedAgain() throws {
        let process = try start("exit 3")
        #expect(process.awaitEnd() == 3)
        #expect(process.awaitEnd() == 3)
    }

    @Test func aProcessHasEndedWhenItRunsNoMore() throws {
        let process = try start("exec sleep 60")
        #expect(!process.hasEnded)
        // Other tests have this process ignore signals that can be ignored, which a child inherits.
        kill(process.processIdentifier, SIGKILL)
        #expect(process.awaitEnd() == SIGKILL)
        #expect(process.hasEnded)
    }
}
