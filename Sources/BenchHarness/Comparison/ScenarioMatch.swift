import Foundation

/// Whether runs are of one scenario: the same work, with any number of repetitions.
enum ScenarioMatch {
    /// Checks that all runs describe the same work, or throws an error that names the first difference.
    static func check(_ runs: [RecordedRun]) throws(RunError) {
        for run in runs {
            if let difference = difference(runs[0], run) {
                throw RunError(
                    .results,
                    "\(runs[0].name) and \(run.name) are of different scenarios: \(difference); "
                        + "--allow-different-scenarios compares them nevertheless")
            }
        }
    }

    private static func difference(_ first: RecordedRun, _ second: RecordedRun) -> String? {
        if let one = first.manifest?.scenario, let other = second.manifest?.scenario {
            return difference(one, other)
        }
        let (one, other) = (Set(first.rows.map(\.scenario)), Set(second.rows.map(\.scenario)))
        guard one == other else {
            return "\(one.sorted().joined(separator: ", ")) and \(other.sorted().joined(separator: ", "))"
        }
        return recordsDifference(first, second)
    }

    /// Returns a difference in numbers of records: without manifests, only these show that a run is scaled.
    private static func recordsDifference(_ first: RecordedRun, _ second: RecordedRun) -> String? {
        let counts = { (run: RecordedRun) in
            Dictionary(
                run.rows.filter { $0.status == .ok && $0.kind == SeedWork.kind.name }.compactMap { row in
                    row.records.map { (row.phase, $0) }
                }, uniquingKeysWith: { first, _ in first })
        }
        let others = counts(second)
        for (phase, count) in counts(first).sorted(by: { $0.key < $1.key }) {
            if let other = others[phase], other != count { return "\(phase) of \(count) and of \(other) records" }
        }
        return nil
    }

    /// Returns the difference between two scenarios in words; nil if they describe the same work, or if neither run had
    /// one.
    static func difference(_ one: Scenario?, _ other: Scenario?) -> String? {
        guard let one, let other else {
            guard let scenario = one ?? other else { return nil }
            return "\(scenario.name) and commands"
        }
        if one.name != other.name { return "\(one.name) and \(other.name)" }
        if one.records != other.records { return "\(one.records) and \(other.records) records" }
        if one.sizes != other.sizes { return "the numbers of records differ" }
        if one.variants?.map(\.settings) != other.variants?.map(\.settings) { return "the lists of numbers differ" }
        if one.seed != other.seed { return "the seeds \(one.seed) and \(other.seed)" }
        if one.entities != other.entities { return "the entities differ" }
        if one.store != other.store { return "the store options differ" }
        if one.isolation != other.isolation { return "the isolation \(one.isolation) and \(other.isolation)" }
        return phaseDifference(one.phases, other.phases)
    }

    private static func phaseDifference(_ some: [Phase], _ others: [Phase]) -> String? {
        guard some.map(\.name) == others.map(\.name) else { return "the phases differ" }
        let pair = zip(some, others).first {
            $0.from != $1.from || $0.fileName != $1.fileName || $0.entity != $1.entity || $0.work != $1.work
        }
        return pair.map { "the phase \($0.0.name) differs" }
    }
}

extension Phase {
    /// The name of the file of which the store is a copy: the same file lies in another folder in another clone.
    fileprivate var fileName: String? { file.map { URL(fileURLWithPath: $0).lastPathComponent } }
}
