import Foundation
import Processes
import TestSupport

/// The built program, with a list of its own.
struct TodoBinary {
    struct Outcome {
        var code: Int32
        var output: String
        var errors: String

        var lines: [String] { output.split(separator: "\n").map(String.init) }
    }

    let folder: TemporaryDirectory
    /// What differs from this process's environment; nil takes a variable away.
    var environment: [String: String?]

    init() throws {
        folder = try TemporaryDirectory()
        environment = ["TODO_STORE": folder.file("todo.sqlite").path(percentEncoded: false)]
    }

    /// Starts the program. Standard output and standard error go to pipes unless they are given.
    func start(_ arguments: [String], output: FileHandle? = nil, errors: FileHandle? = nil) throws -> RunningTodo {
        let process = Process()
        process.executableURL = BuiltProgram.url("todo")
        process.arguments = arguments
        process.currentDirectoryURL = folder.url
        process.environment = ProcessInfo.processInfo.environment.merging(environment.compactMapValues { $0 }) { $1 }
            .filter { environment[$0.key, default: $0.value] != nil }
        process.standardInput = FileHandle.nullDevice
        let (outputPipe, errorPipe) = (Pipe(), Pipe())
        process.standardOutput = output ?? outputPipe
        process.standardError = errors ?? errorPipe
        try process.run()
        return RunningTodo(process, outputPipe.fileHandleForReading, errorPipe.fileHandleForReading)
    }

    func start(_ arguments: String...) throws -> RunningTodo { try start(arguments) }

    /// Runs to the end. What the program writes to standard error fits into a pipe.
    @discardableResult
    func run(_ arguments: [String]) throws -> Outcome { try start(arguments).finish() }

    @discardableResult
    func run(_ arguments: String...) throws -> Outcome { try run(arguments) }
}

/// The program under way.
final class RunningTodo {
    private let process: Process
    private let output: FileHandle
    private let errors: FileHandle
    private var outputSoFar = Data()
    private var errorsSoFar = Data()

    init(_ process: Process, _ output: FileHandle, _ errors: FileHandle) {
        (self.process, self.output, self.errors) = (process, output, errors)
    }

    /// Reads standard output until `text` is in it; false if it ends without.
    func outputs(_ text: String) -> Bool { Self.read(output, &outputSoFar, until: text) }

    /// Reads standard error until `text` is in it; false if it ends without.
    func notes(_ text: String) -> Bool { Self.read(errors, &errorsSoFar, until: text) }

    private static func read(_ handle: FileHandle, _ soFar: inout Data, until text: String) -> Bool {
        while soFar.range(of: Data(text.utf8)) == nil {
            let more = handle.availableData
            if more.isEmpty { return false }
            soFar += more
        }
        return true
    }

    /// Presses Ctrl-C.
    func interrupt() {
        kill(process.processIdentifier, SIGINT)
    }

    /// Waits for the end. A program that a signal ended has the code that a shell gives it.
    func finish() -> TodoBinary.Outcome {
        outputSoFar += output.readAndClose()
        errorsSoFar += errors.readAndClose()
        let end = process.howItEnded()
        return TodoBinary.Outcome(
            code: end.map { end in end.signal.map { 128 + $0 } ?? end.code } ?? -1,
            output: String(decoding: outputSoFar, as: UTF8.self), errors: String(decoding: errorsSoFar, as: UTF8.self))
    }
}
