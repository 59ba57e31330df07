import BenchHarness
import Foundation
import Processes
import TestSupport

/// The built program, run in a folder of its own.
struct BenchBinary {
    /// A program that runs, with the pipes of its output.
    typealias Running = (process: Process, output: Pipe, errors: Pipe)

    struct Outcome {
        var code: Int32
        var output: String
        var errors: String

        /// Waits for the end of a program whose standard output and standard error are pipes.
        init(_ process: Process, _ output: Pipe, _ errors: Pipe) {
            self.output = output.readText()
            self.errors = errors.readText()
            code = process.awaitEnd()
        }

        init(_ running: Running) { self.init(running.process, running.output, running.errors) }
    }

    private let directory: TemporaryDirectory

    var folder: URL { directory.url }

    init() throws {
        directory = try TemporaryDirectory()
    }

    /// A small scenario of every kind of phase: the shipped one.
    static var smoke: String { scenario("smoke") }

    /// The path of a shipped scenario.
    static func scenario(_ name: String) -> String { Repository.url("Scenarios/\(name).json").path }

    /// The path of the results that are kept as an example.
    static var million: String { Repository.million.path }

    /// Starts the program, whose files may be no larger than `fileSizeLimitKiB`, and whose standard output goes to a
    /// pipe or to `outputPath`.
    func start(
        _ arguments: [String], fileSizeLimitKiB: Int? = nil, outputPath: String? = nil
    ) throws -> Running {
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
        process.environment = Script.environment
        process.standardInput = FileHandle.nullDevice
        let (output, errors) = (Pipe(), Pipe())
        (process.standardOutput, process.standardError) = (output, errors)
        if let outputPath { process.standardOutput = FileHandle(forWritingAtPath: outputPath) }
        try process.run()
        return (process, output, errors)
    }

    /// The path of a scenario that takes next to no time: what is compared in tests.
    static let tiny = Repository.url("Tests/BenchCommandTests/Fixtures/tiny.json").path

    /// The path of a scenario whose phases use several cores.
    static let turns = Repository.url("Tests/BenchCommandTests/Fixtures/turns.json").path

    /// Runs the tiny scenario with the baseline driver into `output`.
    func measure(_ output: String, repetitions: Int, program: URL = url) throws -> Outcome {
        try run(
            program,
            [
                "run", Self.tiny, "--allow-debug", "--quiet", "--driver", "sqlite", "--repetitions", "\(repetitions)",
                "--output", output,
            ])
    }

    /// Runs another of the built programs to its end.
    func run(_ program: URL, _ arguments: [String]) throws -> Outcome {
        try Script.run(program.path, arguments, folder: folder)
    }

    /// Runs to the end. What the program writes fits into a pipe.
    func run(_ arguments: String...) throws -> Outcome {
        try run(arguments)
    }

    /// Runs to the end. What the program writes fits into a pipe.
    func run(_ arguments: [String], fileSizeLimitKiB: Int? = nil) throws -> Outcome {
        let (process, output, errors) = try start(arguments, fileSizeLimitKiB: fileSizeLimitKiB)
        return Outcome(process, output, errors)
    }

    var files: [String] { (try? directory.names()) ?? [] }

    /// Makes a folder beside the files of the program; returns its URL.
    func makeFolder(_ name: String) throws -> URL {
        let url = folder.appendingPathComponent(name, isDirectory: true)
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: false)
        return url
    }

    /// Writes a script that stands in for a program; returns its path.
    func program(_ name: String, _ script: String) throws -> String {
        let file = folder.appendingPathComponent(name)
        try WrittenProgram.write(script: script, to: file)
        return file.path
    }

    /// The path of the program.
    static var path: String { url.path }

    /// Where the program is.
    static var url: URL { BuiltProgram.url("bench") }

    /// The one with a slow driver, and with one that loses writes.
    static var slowed: URL { BuiltProgram.url("bench-slowed") }

    /// The one that tortures with related records.
    static var relations: URL { BuiltProgram.url("bench-relations") }

    /// The one whose drivers do what is known.
    static var known: URL { BuiltProgram.url("bench-known") }
}
