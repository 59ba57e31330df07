import BenchHarness
import Foundation

/// What is to be counted, and how often.
public struct InstructionRequest: Sendable {
    /// A build of `bench`.
    public struct Program: Sendable, Equatable {
        /// What messages call it.
        public var title: String
        /// The program.
        public var executable: URL

        /// Creates a build.
        public init(title: String, executable: URL) {
            self.title = title
            self.executable = executable
        }
    }

    /// The scenario; see ``scenarioToCount(_:keepsScale:)``.
    public var scenario: Scenario
    /// The names of the drivers, in the order of the table.
    public var drivers: [String]
    /// The names of the phases to count; empty means all. Others run only if these go on from them.
    public var phases: Set<String> = []
    /// The build to judge.
    public var new: Program
    /// The build to start from; nil counts one build.
    public var base: Program?
    /// The argument that makes a program run an ``InstructionWorker``.
    public var workerArgument: String
    /// How often each phase is counted.
    public var repetitions = 3
    /// How many processes count at once.
    public var lanes = ProcessInfo.processInfo.activeProcessorCount
    /// The share by which the instructions of a phase may grow.
    public var threshold = InstructionChange.defaultThreshold
    /// The growths that are known and accepted.
    public var accepted = AcceptedSlowdowns()

    /// The program valgrind.
    let valgrind: URL

    /// Creates a request.
    ///
    /// - Throws: A ``BenchHarness/RunError`` if valgrind is not installed.
    public init(
        scenario: Scenario, drivers: [String], new: Program, base: Program? = nil, workerArgument: String,
        path: String? = ProcessInfo.processInfo.environment["PATH"]
    ) throws(RunError) {
        self.scenario = scenario
        self.drivers = drivers
        self.new = new
        self.base = base
        self.workerArgument = workerArgument
        valgrind = try Self.valgrind(in: path)
    }

    /// Returns the program valgrind; `path` are the folders to search.
    static func valgrind(in path: String?) throws(RunError) -> URL {
        guard let valgrind = SearchPath(path).program("valgrind") else {
            throw RunError(
                .process,
                "no valgrind in PATH, which counts the instructions; install it, such as with apt-get install valgrind")
        }
        return valgrind
    }

    /// The records of the store, unless a scale is given: enough for the work of each record to outweigh what a phase
    /// does once, and few enough for a program that runs fifty times slower.
    public static let records = 2_000
    /// The operations of a load, which would go on by the clock otherwise.
    private static let operations = 500

    /// Returns the scenario with its smallest store alone, scaled down to ``records`` unless it keeps its scale, and
    /// with loads that end after a number of operations.
    public static func scenarioToCount(_ scenario: Scenario, keepsScale: Bool) -> Scenario {
        var small = scenario
        small.records = scenario.allSizes[0]
        (small.sizes, small.growth) = (nil, nil)
        if !keepsScale, small.records > records {
            small = small.scaled(by: Double(records) / Double(small.records))
        }
        for index in small.phases.indices { small.phases[index].cut(to: operations) }
        return small
    }

    /// The ranges of phases that run in one process, without phases that nothing asks for.
    var stretches: [Range<Int>] {
        scenario.stretches.compactMap { range in
            range.last { isWanted($0) }.map { range.lowerBound..<$0 + 1 }
        }
    }

    /// Whether the phase with this index is to be counted.
    func isWanted(_ index: Int) -> Bool { phases.isEmpty || phases.contains(scenario.phases[index].name) }
}
