import Foundation

/// The program: finds the subcommand, opens the list, and reports the outcome.
enum Todo {
    static let commands: [any Command.Type] = [
        AddCommand.self, ListCommand.self, ToggleCommand.self, DeleteCommand.self, CheckAllCommand.self,
        PopulateCommand.self, SyncCommand.self, WatchCommand.self,
    ]

    /// The program's exit codes.
    enum ExitCode: Int32 {
        case success = 0
        /// The command failed.
        case failure = 1
        /// The command line is invalid.
        case usage = 2
        /// Ctrl-C was pressed.
        case interrupted = 130
    }

    static func run(_ words: [String]) async -> ExitCode {
        do {
            switch try Invocation.reading(words) {
            case .help(let text): try Terminal.write(text)
            case .command(let type, let arguments): try await run(type.init(arguments), at: arguments.storeFile)
            }
            return .success
        } catch let error as UsageError {
            Terminal.error(error.localizedDescription)
            return .usage
        } catch let error as Interrupted {
            Terminal.note("todo: \(error.localizedDescription)\n")
            return .interrupted
        } catch {
            Terminal.error(error.localizedDescription)
            return .failure
        }
    }

    private static func run(_ command: some Command, at file: URL) async throws {
        let store = try TodoStore(at: file)
        do {
            try await command.run(on: store)
        } catch {
            // The first error is the one to report.
            try? store.close()
            throw error
        }
        try store.close()
    }
}

/// A subcommand, made from its arguments and then executed.
protocol Command: Sendable {
    static var usage: Usage { get }
    /// Throws a `UsageError` for invalid arguments, before a store is opened or created.
    init(_ arguments: Arguments) throws
    func run(on store: TodoStore) async throws
}
