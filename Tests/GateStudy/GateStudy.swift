import BenchCommand
import BenchHarness
import Foundation

/// The study of `bench ab`: how often it is right, with sides of which it is known what differs.
public struct GateStudy: Sendable {
    private static let usage = """
        usage: gate-study run MINUTES FILE [CONDITION...]   Run the gate in every condition, and add the verdicts to FILE.
               gate-study table FILE                        Show how often the verdicts were right.
        A condition is a difference, such as unchanged or +3%, or other work, such as none or periodic.
        Anything else is a subcommand of bench.

        """

    /// Runs the command in `arguments`; the first is the program's own name.
    public static func run(_ arguments: [String]) async -> Int32 {
        do {
            switch (arguments.dropFirst().first, arguments.count) {
            case ("run", 4...):
                guard let minutes = Double(arguments[2]), minutes > 0 else { throw StudyError(usage) }
                let conditions = try StudyCondition.named(Array(arguments.dropFirst(4)))
                return try await withCheckedThrowingContinuation { continuation in
                    // Drivers may use the main queue, which a run must not block.
                    Thread.detachNewThread {
                        continuation.resume(
                            with: Result { try sit(minutes, StudyLog(path: arguments[3]), conditions, arguments[0]) })
                    }
                }
            case ("table", 3):
                print(StudyTable(records: try StudyLog(path: arguments[2]).records()).text, terminator: "")
                return 0
            case ("load", 3):
                // For runs of the study.
                guard let load = BackgroundLoad(rawValue: arguments[2]) else { throw StudyError(usage) }
                load.work()
                return 0
            case ("run", _), ("table", _): throw StudyError(usage)
            default: return await BenchCommand(drivers: StudyDriver.all).run(arguments: arguments).rawValue
            }
        } catch {
            FileHandle.standardError.write(Data("gate-study: \(error)\n".utf8))
            return 2
        }
    }

    private static func layouts(of program: String) throws -> [URL] {
        let folder = URL(fileURLWithPath: program + "-layouts", isDirectory: true)
        let found = try? FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
        guard let found, !found.isEmpty else {
            throw StudyError("\(folder.path): no layouts; `make gate-study` links them")
        }
        return found.sorted {
            $0.lastPathComponent.compare($1.lastPathComponent, options: .numeric) == .orderedAscending
        }
    }

    private static func sit(
        _ minutes: Double, _ log: StudyLog, _ conditions: [StudyCondition], _ program: String
    ) throws -> Int32 {
        let interruption = Interruption()
        let signals = SignalTrap { interruption.request() }
        defer { signals.end() }
        let own = Bundle.main.executablePath ?? program
        let scenario = try ScenarioReader().read(contentsOf: ScenarioLocator().locate("ci"))
        let sitting = StudySitting(
            log: log, scenario: scenario, conditions: conditions, program: own, layouts: try layouts(of: own),
            interruption: interruption)
        try sitting.sit(until: Date(timeIntervalSinceNow: minutes * 60)) { run in
            print(run.map(\.line).joined(separator: "\n"))
        }
        return interruption.isRequested ? 130 : 0
    }
}
