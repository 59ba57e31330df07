import BenchHarness
import Foundation
import Processes

/// Other programs that a subcommand runs.
enum ExternalProgram {
    /// How a program ended.
    struct Outcome {
        var code: Int32
        var output: String
        /// The first line of standard error.
        var complaint: String

        /// The output without its last line break.
        var line: String { output.hasSuffix("\n") ? String(output.dropLast()) : output }
    }

    /// Runs a program whose messages are short to its end.
    static func run(_ program: String, _ arguments: [String]) -> Outcome {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: program)
        process.arguments = arguments
        process.standardInput = FileHandle.nullDevice
        let (output, errors) = (Pipe(), Pipe())
        (process.standardOutput, process.standardError) = (output, errors)
        do {
            try process.run()
        } catch {
            return Outcome(code: -1, output: "", complaint: "\(program) cannot be started")
        }
        let text = output.readText()
        let messages = errors.readText()
        let code = process.awaitEnd()
        let complaint = messages.split(separator: "\n").first.map(String.init) ?? "no message"
        return Outcome(code: code, output: text, complaint: complaint)
    }

    /// Waits for the end of a process, and ends it and what it started if the user interrupts. Returns the exit code.
    static func wait(_ process: Process, _ interruption: Interruption) throws(CommitBuilds.Stopped) -> Int32 {
        let id = process.processIdentifier
        let group = getpgid(id) == id ? -id : id
        var rounds = 0
        while !process.hasEnded {
            if interruption.isRequested {
                // A build may ignore the first signal, as this program does.
                kill(group, rounds < 40 ? SIGTERM : SIGKILL)
                rounds += 1
            }
            Thread.sleep(forTimeInterval: 0.05)
        }
        if interruption.isRequested {
            if group < 0 { kill(group, SIGKILL) }
            throw CommitBuilds.Stopped()
        }
        return process.awaitEnd()
    }
}
