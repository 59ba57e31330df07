import BenchHarness
import Foundation

/// How often the gate was right, condition by condition, as a table for the documentation.
struct StudyTable {
    let records: [StudyRecord]

    /// Lines in Markdown.
    var text: String {
        let lines = StudiedStore.allCases.flatMap { store in
            StudyVariant.allCases.flatMap { variant in
                let own = records.filter { $0.run.condition.store == store && $0.run.condition.variant == variant }
                let name = store == .file ? "\(variant)" : "\(variant), on a server"
                let loads = BackgroundLoad.allCases.compactMap { load in
                    line(name, load.rawValue, own.filter { $0.run.condition.load == load })
                }
                guard loads.count > 1, let all = line(name, "any", own) else { return loads }
                return loads + [all]
            }
        }
        return ([Self.header, Self.rule] + lines).joined(separator: "\n") + "\n"
    }

    private static let header =
        "| difference | other work | runs | right verdict | 95 % interval | wrong verdict | open | launches | longest, s |"
    private static let rule = "| --- | --- | ---: | ---: | --- | ---: | ---: | ---: | ---: |"

    private func line(_ name: String, _ load: String, _ records: [StudyRecord]) -> String? {
        let runs = StudyRecord.runs(records)
        guard !runs.isEmpty else { return nil }
        let verdicts = runs.map { StudyVerdict($0) }
        let right = verdicts.count { $0 == .right }
        let bounds = BinomialInterval(right, of: runs.count).bounds
        let interval = "\(Figure.percent(bounds.lowerBound)) to \(Figure.percent(bounds.upperBound))"
        let launches = SampleSummary(runs.joined().map { Double($0.launches) })?.median ?? 0
        let seconds = runs.map { $0[0].run.seconds }
        let cells = [
            name, load, "\(runs.count)", "\(right)", interval,
            "\(verdicts.count { $0 == .wrong })", "\(verdicts.count { $0 == .open })", "\(Int(launches.rounded()))",
            "\(Int((seconds.max() ?? 0).rounded()))",
        ]
        return "| " + cells.joined(separator: " | ") + " |"
    }
}

/// What a run of the gate came to, compared with what is known of its sides.
enum StudyVerdict: Equatable {
    /// Every phase is called what it is: a slower one regressed by one of its figures at least, all others unchanged.
    case right
    /// A phase is said to have changed that has not, or one that is slower is not to have.
    case wrong
    /// A phase was left open.
    case open

    init(_ records: [StudyRecord]) {
        let slower = records.filter { $0.run.slowed == $0.phase }.map { Self.of($0, truth: .regressed) }
        var verdicts = records.filter { $0.run.slowed != $0.phase }.map { Self.of($0, truth: .unchanged) }
        if !slower.isEmpty {
            verdicts.append(slower.contains(.right) ? .right : slower.contains(.open) ? .open : .wrong)
        }
        let isFaster = records.contains { $0.verdict == Verdict.improved.rawValue }
        self = isFaster || verdicts.contains(.wrong) ? .wrong : verdicts.contains(.open) ? .open : .right
    }

    private static func of(_ record: StudyRecord, truth: Verdict) -> Self {
        if record.verdict == truth.rawValue { return .right }
        return [Verdict.inconclusive, .insufficientData].map(\.rawValue).contains(record.verdict) ? .open : .wrong
    }
}
