import BenchHarness
import Foundation
import Locking

/// Counts the instructions of two commands, and of the processes that they start, under callgrind.
struct CommandCounter {
    private let request: PairedRequest
    private let valgrind: URL
    private let folder: URL
    private let interruption: Interruption

    private static let repetitions = 2
    /// What makes sets and dictionaries have one order in each run: those of Swift and of Python.
    private static let settings = ["SWIFT_DETERMINISTIC_HASHING=1", "PYTHONHASHSEED=0"]

    /// - Throws: A `RunError` if valgrind is not installed.
    init(
        _ request: PairedRequest, path: String?, in folder: URL, interruption: Interruption
    ) throws(RunError) {
        self.request = request
        self.folder = folder
        self.interruption = interruption
        valgrind = try InstructionRequest.valgrind(in: path)
    }

    /// Counts both commands, at the same time.
    ///
    /// - Parameter seconds: How long a command may take.
    /// - Returns: The change from base to new; nil if there is nothing to count.
    func count(
        within seconds: Double, onProgress: @escaping @Sendable (Int, Int) -> Void
    ) throws -> InstructionChange? {
        let done = Locked(0)
        let counts = try onOwnThreads(Side.allCases.count) { [self] place in
            var counts = InstructionCounts()
            for number in 1...Self.repetitions {
                counts.add(try count(Side.allCases[place], number, within: seconds))
                let ended = done.withLock { done in
                    done += 1
                    return done
                }
                onProgress(ended, Side.allCases.count * Self.repetitions)
            }
            return counts
        }
        return InstructionChange(from: counts[0], to: counts[1], records: nil)
    }

    private func count(_ side: Side, _ number: Int, within seconds: Double) throws -> InstructionCounts.Repetition {
        let own = folder.appendingPathComponent("\(side.rawValue)-\(number)", isDirectory: true)
        try FileManager.default.createDirectory(at: own, withIntermediateDirectories: false)
        defer { try? FileManager.default.removeItem(at: own) }
        let tool = [
            valgrind.path, "--command-line-only=yes", "--quiet", "--tool=callgrind", "--demangle=no",
            "--trace-children=yes", "--callgrind-out-file=\(own.appendingPathComponent("profile").path).%p",
            "--log-file=\(own.appendingPathComponent("log").path).%p",
        ]
        let counted = CommandSide(
            ["/usr/bin/env"] + Self.settings + tool + request.program(side).command, tag: ScratchFolder.tag(),
            interruption: interruption)
        let runs = try AddressLayout.fixed { try counted.run(1, on: nil, to: nil, within: seconds) }
        if let problem = runs.problem {
            throw RunError(.process, "\(request.commandTitle(side)) \(problem) under callgrind")
        }
        var (functions, ownFunctions): ([String: Int], [String: Int]) = ([:], [:])
        for name in try FileManager.default.contentsOfDirectory(atPath: own.path) where name.hasPrefix("profile.") {
            let file = own.appendingPathComponent(name)
            let contents = try Data(contentsOf: file)
            // A process that becomes another program leaves an empty file.
            if contents.isEmpty { continue }
            let profile = try CallgrindProfile(contents, place: file.path)
            functions.merge(profile.functions, uniquingKeysWith: +)
            ownFunctions.merge(profile.ownFunctions, uniquingKeysWith: +)
        }
        return InstructionCounts.Repetition(
            number: number, status: .ok, functions: functions, ownFunctions: ownFunctions)
    }
}
