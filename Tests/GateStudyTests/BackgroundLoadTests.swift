import Foundation
import TestSupport
import Testing

@testable import GateStudy

@Suite struct BackgroundLoadTests {
    /// The arguments of the children of this process, but for the program.
    private var children: [[String]] {
        let processes = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
        return processes.filter { Int($0) != nil }.compactMap(argumentsOfChild)
    }

    /// Nil if the process is not, or no longer, a child of this one.
    private func argumentsOfChild(_ process: String) -> [String]? {
        while let status = try? String(contentsOfFile: "/proc/\(process)/status", encoding: .utf8),
            status.contains("PPid:\t\(getpid())\n"), !status.contains("State:\tZ"),
            let line = try? String(contentsOfFile: "/proc/\(process)/cmdline", encoding: .utf8)
        {
            // A program that starts has no arguments for a moment, although its parent already goes on.
            if !line.isEmpty { return line.split(separator: "\0").dropFirst().map(String.init) }
            usleep(1_000)
        }
        return nil
    }

    /// `bench ab` would take its own threads for the work of the phases.
    @Test func otherWorkIsAProcessOfItsOwnThatEndsWithTheRun() throws {
        let program = BuiltProgram.url("gate-study").path
        try BackgroundLoad.periodic.during(program: program) { #expect(children.contains(["load", "periodic"])) }
        #expect(!children.contains(["load", "periodic"]))
        try BackgroundLoad.none.during(program: program) { #expect(!children.contains(["load", "none"])) }
    }
}
