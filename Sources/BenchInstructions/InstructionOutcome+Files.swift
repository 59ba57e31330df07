import BenchHarness
import Foundation

extension InstructionOutcome {
    private static let columns = [
        "scenario", "driver", "phase", "kind", "mode", "concurrent", "side", "repetition", "records", "status", "error",
        "instructions", "allocations", "allocated_bytes",
    ]

    /// Writes every count into a CSV file: a line for each repetition of each phase, driver and side. A count that is
    /// missing is an empty field.
    public func write(to url: URL) throws {
        var lines = CSV.line(Self.columns)
        for figure in figures {
            for (side, counts) in [(Side.base, figure.base), (Side.new, figure.new)] {
                for repetition in counts?.repetitions ?? [] { lines += line(figure, side, repetition) }
            }
        }
        try AtomicFile.write(Data(lines.utf8), to: url.path)
    }

    private func line(
        _ figure: InstructionFigure, _ side: Side, _ repetition: InstructionCounts.Repetition
    ) -> String {
        CSV.line([
            request.scenario.name, figure.driver, figure.phase.name, figure.phase.kind, figure.phase.mode,
            "\(figure.phase.isConcurrent)", side.rawValue, "\(repetition.number)", Self.field(repetition.records),
            repetition.status.rawValue, repetition.error, Self.field(repetition.instructions),
            Self.field(repetition.allocations?.calls), Self.field(repetition.allocations?.bytes),
        ])
    }

    private static func field(_ count: Int?) -> String { count.map(String.init) ?? "" }

    /// Returns the counts and the verdicts as a JSON object. Unknown values are left out.
    public func json() throws -> String { String(decoding: try JSONFile.text(Document(self)), as: UTF8.self) }

    private struct Document: Encodable {
        struct Counts: Encodable {
            let instructions: Int?
            let spread: Double?
            /// Those of each part of the program.
            let parts: [String: Int]?
            let repetitions: [Int?]
            /// Those of each repetition.
            let allocations: [Int?]
            let allocatedBytes: [Int?]
            let status: ResultRow.Status?
            let error: String?

            init(_ counts: InstructionCounts) {
                instructions = counts.median
                spread = counts.spread
                parts = counts.typical?.parts
                repetitions = counts.repetitions.map(\.instructions)
                allocations = counts.repetitions.map(\.allocations?.calls)
                allocatedBytes = counts.repetitions.map(\.allocations?.bytes)
                status = counts.unsuccessful?.status ?? counts.repetitions.first?.status
                error = counts.unsuccessful?.error
            }
        }

        struct Figure: Encodable {
            let driver: String
            let phase: String
            let kind: String
            let mode: String
            let isConcurrent: Bool
            let base: Counts?
            let new: Counts
            let ratioToBase: Double?
            let ratioToBaseline: Double?
            let verdict: Verdict
            /// Who accepts how much of a growth, and why; left out where nothing is accepted.
            let acceptance: String?
            /// The functions that grew most; left out unless the verdict is a regression.
            let functions: [FunctionGrowth]?
        }

        let version = 1
        let scenario: String
        let records: Int
        let repetitions: Int
        let thresholdPercent: Double
        let base: String?
        let new: String
        let outcome: Comparison.Outcome
        let figures: [Figure]

        init(_ outcome: InstructionOutcome) {
            let request = outcome.request
            scenario = request.scenario.name
            records = request.scenario.records
            repetitions = request.repetitions
            thresholdPercent = request.threshold * 100
            base = request.base?.title
            new = request.new.title
            self.outcome = outcome.outcome
            figures = outcome.figures.map { figure in
                let verdict = outcome.verdict(figure)
                let acceptance = outcome.acceptance(figure)
                return Figure(
                    driver: figure.driver, phase: figure.phase.name, kind: figure.phase.kind,
                    mode: figure.phase.mode, isConcurrent: figure.phase.isConcurrent,
                    base: figure.base.map(Counts.init), new: Counts(figure.new), ratioToBase: figure.ratio,
                    ratioToBaseline: outcome.ratio(figure),
                    verdict: verdict, acceptance: acceptance.isEmpty ? nil : acceptance,
                    functions: verdict == .regressed ? figure.grownFunctions : nil)
            }
        }
    }
}
