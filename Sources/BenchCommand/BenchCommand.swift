import BenchHarness
import Foundation

/// The command line program, for any set of drivers. To benchmark your own store, conform to `StoreDriver` and write
/// this as `main.swift`:
///
/// ```swift
/// import BenchCommand
/// import Foundation
///
/// let code = await BenchCommand(drivers: [MyDriver()]).run(arguments: CommandLine.arguments)
/// exit(code.rawValue)
/// ```
///
/// The `await` matters: it lets the main queue run meanwhile, on which drivers may merge.
public struct BenchCommand: Sendable {
    /// The version of the program.
    public static let version = "0.1.0"

    private let drivers: [any StoreDriver]
    private let torture: any TortureTask
    private let console = Console()

    /// Creates a command for `drivers`, the baseline first. Each has a name of its own: the command line and the
    /// results tell drivers apart by it. Otherwise every command ends with a usage error.
    public init(drivers: [any StoreDriver]) {
        self.init(drivers: drivers, torture: LoadTorture())
    }

    /// Creates a command that tortures stores with a task of its own.
    package init(drivers: [any StoreDriver], torture: any TortureTask) {
        (self.drivers, self.torture) = (drivers, torture)
    }

    /// Runs the command in `arguments`; the first argument is the program's own name.
    ///
    /// - Returns: The exit code.
    public func run(arguments: [String]) async -> ExitCode {
        await withCheckedContinuation { continuation in
            // A separate thread, because a run blocks it for minutes, which threads of the cooperative pool must not
            // do.
            do throws(RunError) {
                try OwnThread.start(named: "bench.run") { continuation.resume(returning: self.dispatch(arguments)) }
            } catch {
                console.error(error.description)
                continuation.resume(returning: .failure)
            }
        }
    }

    private func dispatch(_ arguments: [String]) -> ExitCode {
        let code = attempt(arguments)
        guard let error = console.outputError else { return code }
        console.error(error.description)
        return code == .usage || code == .interrupted ? code : .failure
    }

    private func attempt(_ arguments: [String]) -> ExitCode {
        do {
            return try perform(Array(arguments.dropFirst()), commandLine: arguments)
        } catch let error as UsageError {
            console.error(error.description)
            return .usage
        } catch let error as ScenarioError {
            console.error(error.description)
            return .usage
        } catch let errors as ScenarioErrors {
            for line in errors.lines { console.error(line) }
            return .usage
        } catch let error as RunError where [.results, .request].contains(error.code) {
            console.error(error.description)
            return .usage
        } catch {
            console.error("\(error)")
            return .failure
        }
    }

    private func perform(_ arguments: [String], commandLine: [String]) throws -> ExitCode {
        try checkNames()
        guard let name = arguments.first else {
            console.note(HelpText.beginning)
            return .usage
        }
        let help = HelpText(width: console.width)
        if name == "help", arguments.count > 1 { return print(help.text(for: try subcommand(arguments[1]).spec)) }
        if ["--help", "-h", "help"].contains(name) { return print(help.overview) }
        if name == "--version" { return print("bench \(Self.version)\n") }
        let subcommand = try subcommand(name)
        let parsed = try ParsedArguments(Array(arguments.dropFirst()), spec: subcommand.spec)
        if parsed.has("--help") { return print(help.text(for: subcommand.spec)) }
        let invocation = Invocation(
            drivers: drivers, torture: torture, console: console, parsed: parsed, commandLine: commandLine)
        let command = try subcommand.init(invocation)
        if subcommand.measures { try ProcessRoom.check() }
        return try command.run()
    }

    /// Refuses two drivers with one name: their rows would be mixed, and only the first would run.
    private func checkNames() throws(UsageError) {
        var known: Set<String> = []
        for name in drivers.map(\.name) where !known.insert(name).inserted {
            throw UsageError("two drivers of this program have the name \(name); expected a name of its own for each")
        }
    }

    private func subcommand(_ name: String) throws(UsageError) -> any Subcommand.Type {
        guard let subcommand = Subcommands.all.first(where: { $0.spec.name == name }) else {
            throw UsageError(ParsedArguments.unknown("command", name, among: CommandSpec.visible.map(\.name)))
        }
        return subcommand
    }

    private func print(_ text: String) -> ExitCode {
        console.out(text)
        return .success
    }
}
