import Foundation

/// The program: finds the subcommand, opens the list, and says how it went.
enum Todo {
    static let commands: [any Command.Type] = [
        AddCommand.self, ListCommand.self, ToggleCommand.self, DeleteCommand.self, CheckAllCommand.self,
        PopulateCommand.self, SyncCommand.self, WatchCommand.self,
    ]

    /// How the program ends.
    enum ExitCode: Int32 {
        case success = 0
        /// Something could not be done.
        case failure = 1
        /// The command line makes no sense.
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
            // What went wrong first is what people should read.
            try? store.close()
            throw error
        }
        try store.close()
    }
}

/// A subcommand, made of its arguments and then run.
protocol Command: Sendable {
    static var usage: Usage { get }
    /// Throws a `UsageError` for arguments that make no sense, before a store is opened or made.
    init(_ arguments: Arguments) throws
    func run(on store: TodoStore) async throws
}
