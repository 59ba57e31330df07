import Foundation

/// The built program, run in a folder of its own.
struct BenchBinary {
    struct Outcome {
        var code: Int32
        var output: String
        var errors: String
    }

    let folder: URL

    init() throws {
        folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }

    func remove() {
        try? FileManager.default.removeItem(at: folder)
    }

    /// A small scenario of every kind of phase: the shipped one.
    static var smoke: String { scenario("smoke") }

    /// The path of a shipped scenario.
    static func scenario(_ name: String) -> String { shipped("Scenarios/\(name).json") }

    /// The path of the results that are kept as an example.
    static var million: String { shipped("Results/million/million.csv") }

    private static func shipped(_ path: String) -> String {
        URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().appendingPathComponent(path).path
    }

    /// Starts the program, whose files may be no larger than `fileSizeLimitKiB`, and whose standard output goes to a
    /// pipe or to `outputPath`.
    func start(
        _ arguments: [String], fileSizeLimitKiB: Int? = nil, outputPath: String? = nil
    ) throws -> (process: Process, output: Pipe, errors: Pipe) {
        let process = Process()
        process.executableURL = Self.url
        process.arguments = arguments
        if let fileSizeLimitKiB {
            // bash counts in KiB, other shells in half as much.
            process.executableURL = URL(fileURLWithPath: "/bin/bash")
            process.arguments =
                ["-c", "ulimit -f \(fileSizeLimitKiB); exec \"$0\" \"$@\"", Self.url.path] + arguments
        }
        process.currentDirectoryURL = folder
        process.standardInput = FileHandle.nullDevice
        let (output, errors) = (Pipe(), Pipe())
        (process.standardOutput, process.standardError) = (output, errors)
        if let outputPath { process.standardOutput = FileHandle(forWritingAtPath: outputPath) }
        try process.run()
        return (process, output, errors)
    }

    /// The path of a scenario that takes next to no time: what is compared in tests.
    static let tiny = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .appendingPathComponent("Fixtures/tiny.json").path

    /// Runs the tiny scenario with the baseline driver into `output`.
    func measure(_ output: String, repetitions: Int, program: URL = url) throws -> Outcome {
        let process = Process()
        process.executableURL = program
        process.arguments = [
            "run", Self.tiny, "--allow-debug", "--quiet", "--driver", "sqlite", "--repetitions", "\(repetitions)",
            "--output", output,
        ]
        return try finish(process)
    }

    /// Runs another of the built programs to its end.
    func run(_ program: URL, _ arguments: [String]) throws -> Outcome {
        let process = Process()
        process.executableURL = program
        process.arguments = arguments
        return try finish(process)
    }

    /// Runs to the end. What the program writes fits into a pipe.
    func run(_ arguments: String...) throws -> Outcome {
        try run(arguments)
    }

    /// Runs to the end. What the program writes fits into a pipe.
    func run(_ arguments: [String], fileSizeLimitKiB: Int? = nil) throws -> Outcome {
        let (process, output, errors) = try start(arguments, fileSizeLimitKiB: fileSizeLimitKiB)
        return outcome(process, output, errors)
    }

    private func finish(_ process: Process) throws -> Outcome {
        process.currentDirectoryURL = folder
        process.standardInput = FileHandle.nullDevice
        let (output, errors) = (Pipe(), Pipe())
        (process.standardOutput, process.standardError) = (output, errors)
        try process.run()
        return outcome(process, output, errors)
    }

    private func outcome(_ process: Process, _ output: Pipe, _ errors: Pipe) -> Outcome {
        let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        let notes = String(decoding: errors.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        return Outcome(code: process.terminationStatus, output: text, errors: notes)
    }

    var files: [String] {
        ((try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []).sorted()
    }

    /// Where the program is.
    static var path: String { url.path }

    /// The program is built into the folder that the test bundle lies in.
    static var url: URL { program("bench") }

    /// The one with a slow driver, and with one that loses writes.
    static var slowed: URL { program("bench-slowed") }

    /// The one whose drivers do what is known.
    static var known: URL { program("bench-known") }

    private static func program(_ name: String) -> URL {
        let tests = CommandLine.arguments.first { $0.hasSuffix(".xctest") } ?? CommandLine.arguments[0]
        return URL(fileURLWithPath: tests).deletingLastPathComponent().appendingPathComponent(name)
    }
}
