import Foundation

/// Two sides that are to take turns, and how far to go.
public struct PairedRequest: Sendable {
    /// Two drivers that are held against each other; the same one, where two builds are.
    public struct Contest: Sendable, Equatable {
        /// The driver to start from.
        public var base: String
        /// The driver to judge.
        public var new: String

        /// Creates a contest.
        public init(base: String, new: String) {
            self.base = base
            self.new = new
        }

        /// What results call it.
        var name: String { base == new ? base : base + Self.arrow + new }

        /// Between the names of two drivers.
        static let arrow = " → "

        func driver(_ side: Side) -> String { side == .base ? base : new }
    }

    /// One of the two programs.
    public struct Program: Sendable, Equatable {
        /// What messages call the side: the program, or the driver.
        public var title: String
        /// The program, and the arguments with which it takes turns.
        public var command: [String]

        /// Creates a side.
        public init(title: String, command: [String]) {
            self.title = title
            self.command = command
        }
    }

    /// What takes turns.
    public enum Subject: Sendable {
        /// The phases of a scenario, of drivers.
        case scenario(Scenario)
        /// The programs themselves, whatever they do.
        case commands(PairedCommands)
    }

    /// What takes turns.
    public var subject: Subject
    /// The scenario; nil for commands.
    public var scenario: Scenario? { if case .scenario(let scenario) = subject { scenario } else { nil } }
    /// What is held against each other.
    public var contests: [Contest]
    /// The program to start from.
    public var base: Program
    /// The program to judge.
    public var new: Program
    /// The drivers whose stores are on a server, by name.
    public var driversOnServers: Set<String> = []
    /// Whether phases are done at the scenario's number of records, however long a turn takes then.
    public var keepsScale = false
    /// Seconds after which no launch begins.
    public var budgetSeconds = 600.0
    /// Seconds after which a process that does not answer is given up; as many as the budget has, if these are more.
    package var patienceSeconds = 120.0
    /// The most launches of each phase.
    public var launches = Self.defaultLaunches
    package static let defaultLaunches = 160
    /// The most that it can be.
    package static let mostLaunches = 1_000
    /// How many launches run at once, each on a core of its own; fewer where there are not as many cores.
    public var lanes = 2
    /// The observations of each phase in a launch.
    public var quads = 8
    /// The command line, for the manifests.
    public var commandLine: [String]

    /// Creates a request for turns at a scenario.
    public init(
        scenario: Scenario, contests: [Contest], base: Program, new: Program, commandLine: [String] = []
    ) {
        subject = .scenario(scenario)
        self.contests = contests
        self.base = base
        self.new = new
        self.commandLine = commandLine
    }

    /// Creates a request for turns at two commands.
    ///
    /// - Parameters:
    ///   - commands: What is compared of them.
    ///   - contest: What results call the commands.
    ///   - base: The command to start from: the path of a program, and its arguments.
    ///   - new: The command to judge.
    ///   - commandLine: The command line, for the manifests.
    public init(
        commands: PairedCommands, contest: Contest, base: Program, new: Program, commandLine: [String] = []
    ) {
        subject = .commands(commands)
        contests = [contest]
        self.base = base
        self.new = new
        self.commandLine = commandLine
    }

    /// What can take turns.
    package var keys: [ComparisonKey] {
        let phases = scenario?.phaseNamesInResults ?? [PairedCommands.phase]
        return contests.flatMap { contest in
            phases.map { ComparisonKey(scenario: "", driver: contest.name, phase: $0, mode: "") }
        }
    }

    /// The metrics of turns that can be judged.
    package var judgedMetrics: Set<String> {
        guard scenario != nil else { return Set(PairedFigure.all.map(\.metric)) }
        let server = driversOnServers.isEmpty ? [] : [PairedFigure.server]
        return Set((PairedFigure.all + PairedFigure.responses + server).map(\.metric))
    }

    package func program(_ side: Side) -> Program { side == .base ? base : new }

    /// What messages call a command.
    package func commandTitle(_ side: Side) -> String { "--\(side.rawValue)-command \(program(side).title)" }
}
