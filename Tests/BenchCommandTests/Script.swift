import Foundation

/// A program that is not ours, run to its end.
enum Script {
    /// This process's own environment, without the width of its terminal.
    static var environment: [String: String] { ProcessInfo.processInfo.environment.merging(["COLUMNS": ""]) { $1 } }

    /// Runs `program` in `folder` with what is in `environment` besides this process's own.
    static func run(
        _ program: String, _ arguments: [String], folder: URL? = nil, environment: [String: String] = [:]
    ) throws -> BenchBinary.Outcome {
        BenchBinary.Outcome(try start(program, arguments, folder: folder, environment: environment))
    }

    /// Starts `program` likewise.
    static func start(
        _ program: String, _ arguments: [String], folder: URL? = nil, environment: [String: String] = [:]
    ) throws -> BenchBinary.Running {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: program)
        process.arguments = arguments
        process.currentDirectoryURL = folder
        process.environment = Self.environment.merging(environment) { $1 }
        process.standardInput = FileHandle.nullDevice
        let (output, errors) = (Pipe(), Pipe())
        (process.standardOutput, process.standardError) = (output, errors)
        try process.run()
        return (process, output, errors)
    }

    /// Asks the server at an address; returns the answer without its heading.
    static func query(_ sql: String, _ address: String) throws -> String {
        try run("/usr/bin/env", ["psql", "-Atc", sql, address]).output
    }
}
