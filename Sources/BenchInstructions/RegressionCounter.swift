import BenchHarness
import Dispatch
import Foundation

/// Counts, under callgrind, the instructions of the phases that regressed between two builds that took turns.
///
/// It adds what it finds to the comparison, and changes no verdict. What it cannot find out is a note.
package struct RegressionCounter {
    /// The most phases that are counted.
    private static let most = 3

    private let request: PairedRequest
    private let workerArgument: String
    private let seconds: Double
    private let folder: URL
    private let interruption: Interruption
    private let path: String?
    private let clock = MonotonicClock()

    /// Creates a counter.
    ///
    /// - Parameters:
    ///   - request: What took turns.
    ///   - workerArgument: The argument that makes the programs run an ``InstructionWorker``.
    ///   - seconds: The time after which it stops.
    ///   - folder: Takes stores and programs meanwhile.
    ///   - interruption: Stops it from outside; the counter requests it as well when its time is over.
    ///   - path: The folders in which valgrind is searched for.
    package init(
        _ request: PairedRequest, workerArgument: String, seconds: Double, in folder: URL, interruption: Interruption,
        path: String? = ProcessInfo.processInfo.environment["PATH"]
    ) {
        self.request = request
        self.workerArgument = workerArgument
        self.seconds = seconds
        self.folder = folder
        self.interruption = interruption
        self.path = path
    }

    /// Whether there is anything that could be counted.
    package var canCount: Bool { obstacle == nil && (try? InstructionRequest.valgrind(in: path)) != nil }

    /// Adds to a comparison what its regressed phases execute.
    ///
    /// - Parameter onProgress: Receives how many processes of a phase have ended, and how many there are. Any thread
    ///   calls it.
    package func explain(_ comparison: inout Comparison, onProgress: @escaping @Sendable (Int, Int) -> Void) {
        let phases = comparison.phasesToCount
        guard !phases.isEmpty else { return }
        let counted = phases.prefix(Self.most)
        if let problem = obstacle ?? count(counted, &comparison, onProgress) {
            comparison.notes.append("no functions are named: \(problem)")
        } else if phases.count > counted.count {
            let rest = phases.dropFirst(Self.most).map(\.description).joined(separator: ", ")
            comparison.notes.append(
                "functions are named for the \(Self.most) phases that slowed most, and not for \(rest)")
        }
    }

    /// Why there is nothing to count; nil if there is.
    private var obstacle: String? {
        if request.scenario != nil, request.contests.contains(where: { $0.base != $0.new }) {
            return "two drivers have different ones"
        }
        if request.base.command == request.new.command { return "both sides are one program" }
        return nil
    }

    /// Counts phase by phase.
    ///
    /// - Returns: Why it ended early; nil if it did not.
    private func count(
        _ phases: ArraySlice<CountedPhase>, _ comparison: inout Comparison,
        _ onProgress: @escaping @Sendable (Int, Int) -> Void
    ) -> String? {
        let end = Double(clock.now()) + seconds * 1e9
        let timer = DispatchSource.makeTimerSource(queue: .global())
        timer.schedule(deadline: .now() + seconds)
        timer.setEventHandler { [interruption] in interruption.request() }
        timer.resume()
        defer { timer.cancel() }
        for (index, phase) in phases.enumerated() {
            do {
                try count(phase, in: "count-\(index)", &comparison, onProgress)
                if interruption.isRequested { throw Interrupted() }
            } catch is Interrupted {
                let isOver = Double(clock.now()) >= end
                return isOver ? "the time for it was over at \(phase); --explain-budget allows more" : "interrupted"
            } catch {
                return "\(error)"
            }
        }
        return nil
    }

    /// Counts a phase, and adds what it finds to the comparison.
    ///
    /// - Throws: `Interrupted` if the count did not come to its end.
    private func count(
        _ phase: CountedPhase, in name: String, _ comparison: inout Comparison,
        _ onProgress: @escaping @Sendable (Int, Int) -> Void
    ) throws {
        let own = folder.appendingPathComponent(name, isDirectory: true)
        try FileManager.default.createDirectory(at: own, withIntermediateDirectories: false)
        defer { try? FileManager.default.removeItem(at: own) }
        switch request.subject {
        case .scenario(let scenario):
            guard let outcome = try count(phase, scenario.variant(with: phase.phase), in: own, onProgress) else {
                throw Interrupted()
            }
            comparison.add(outcome, of: phase)
        case .commands:
            let counter = try CommandCounter(request, path: path, in: own, interruption: interruption)
            comparison.counted[phase] = try counter.count(within: seconds, onProgress: onProgress)
        }
    }

    private func count(
        _ phase: CountedPhase, _ scenario: Scenario, in own: URL, _ onProgress: @escaping @Sendable (Int, Int) -> Void
    ) throws -> InstructionOutcome? {
        var instructions = try InstructionRequest(
            scenario: InstructionRequest.scenarioToCount(scenario, keepsScale: false), drivers: [phase.driver],
            new: program(.new), base: program(.base), workerArgument: workerArgument, path: path)
        instructions.phases = [phase.phase]
        return try InstructionRun(instructions, in: own, interruption: interruption).run(onProgress: onProgress)
    }

    private func program(_ side: Side) -> InstructionRequest.Program {
        let program = request.program(side)
        return InstructionRequest.Program(
            title: "--\(side.rawValue) \(program.title)", executable: URL(fileURLWithPath: program.command[0]))
    }
}

extension Comparison {
    /// The phases of which a time or a counter regressed, the largest slowdown first.
    var phasesToCount: [CountedPhase] {
        judgements.filter { $0.verdict == .regressed && ($0.metric.isOfSpeed || $0.metric.isExact) }
            .sorted { $0.worsening > $1.worsening }
            .map { CountedPhase($0.key) }.withoutRepeats
    }

    /// Takes in what callgrind counted of a phase.
    mutating func add(_ outcome: InstructionOutcome, of phase: CountedPhase) {
        guard let figure = outcome.figures.first else { return }
        counted[phase] = InstructionChange(figure, records: outcome.request.scenario.records)
        if counted[phase] == nil {
            let reason = figure.failures.first?.error ?? "it has no count"
            notes.append("no functions are named of \(phase), which callgrind could not count: \(reason)")
        }
    }
}

extension Judgement {
    /// The factor by which the figure got worse.
    fileprivate var worsening: Double { ratio.map { metric.isHigherBetter ? 1 / $0 : $0 } ?? 1 }
}
