import Foundation
import Locking
import Processes
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

    /// A program with the harness in it need not ignore the signal of a broken pipe, which ends a program otherwise.
    @Test func writingToAChildThatEndedSendsNoSignal() throws {
        let child = try ChildProcess(["/bin/sh", "-c", "exit 7"])
        #expect(child.wait {} == "ended with exit code 7")
        let before = signal(SIGPIPE) { _ in Self.brokenPipes.withLock { $0 += 1 } }
        defer { signal(SIGPIPE, before) }
        child.write(Data("a request\n".utf8))
        #expect(Self.brokenPipes.value == 0)
    }

    private static let brokenPipes = Locked(0)

    @Test(arguments: ["exec sleep 100", "printf unfinished >&3; exec sleep 100"])
    func aChildThatSendsNoLineIsNotAwaitedForEver(script: String) throws {
        let child = try ChildProcess(["/bin/sh", "-c", script])
        #expect(throws: ChildProcess.Late.self) { try child.nextLine(within: 0.2) }
        child.end()
        #expect(child.wait {} == "was ended by SIGKILL")
    }

    /// One that prints the stack of a child that crashed may outlive it.
    @Test func aProgramOfTheChildDoesNotHoldThePipeOpen() throws {
        let pipe = Pipe()
        let descriptor = pipe.fileHandleForWriting.fileDescriptor
        #expect(fcntl(descriptor, F_SETFD, 0) == 0)
        try ChildProcess.channelToParent(descriptor).write(contentsOf: Data("told\n".utf8))
        let program = try ChildProcess(["/bin/sh", "-c", "exec sleep 100"])
        try pipe.fileHandleForWriting.close()
        #expect(pipe.readText() == "told\n")
        program.end()
        #expect(program.wait {} == "was ended by SIGKILL")
    }

    /// A phase that is not reported would be missing from a run that passes.
    @Test func whatCannotBeToldIsAFailure() throws {
        let pipe = Pipe()
        let channel = EventChannel(pipe.fileHandleForWriting)
        channel.send(.started(0))
        #expect(channel.failure == nil)
        channel.send(.finished(PhaseReport(row: ResultRow(work: ResultRow.Work(throughput: .infinity)))))
        #expect(channel.failure?.hasPrefix("cannot send the report of a phase: ") == true)
        #expect(channel.failure?.contains("throughput is inf") == true, "\(channel.failure ?? "")")
        channel.send(.started(1))
        try pipe.fileHandleForWriting.close()
        let text = pipe.readText()
        #expect(text.split(separator: "\n").count == 2)
    }

    @Test func whatCannotBeReadIsAFailure() throws {
        let executor = ChildProcessExecutor(
            command: ["/bin/sh", "-c", "cat > /dev/null; echo nonsense >&3"], interruption: Interruption())
        let job = RepetitionJob(
            run: "r", scenario: FakeDriver.scenario, driver: "fake", repetition: 1, phases: 0..<1, directory: "/tmp",
            parent: getpid())
        let failure = try executor.execute(job) { _ in }
        #expect(failure?.hasPrefix("sent an unreadable report") == true, "\(failure ?? "nil")")
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
