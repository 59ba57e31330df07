import Foundation
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
