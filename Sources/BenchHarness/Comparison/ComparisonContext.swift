/// Checks that two sides are comparable, and determines the driver that figures are divided by.
struct ComparisonContext {
    let base: ComparisonSide
    let new: ComparisonSide
    let options: ComparisonOptions
    /// The driver that figures are divided by.
    let baseline: String?
    let thresholds: ComparisonThresholds
    let hosts: HostMatch
    private(set) var notes: [String] = []

    /// - Parameter checksNames: Whether to refuse names that neither side has.
    init(
        base: [RecordedRun], new: [RecordedRun], options: ComparisonOptions, checksNames: Bool = true
    ) throws(RunError) {
        for run in base + new { try run.checkHasRows() }
        try base.checkCountOnce()
        try new.checkCountOnce()
        if !options.allowsDifferentScenarios { try ScenarioMatch.check(base + new) }
        self.base = ComparisonSide(base)
        self.new = ComparisonSide(new)
        self.options = options
        if checksNames { try Self.refuseUnknownNames(options, self.base, self.new) }
        thresholds = ComparisonThresholds(
            overrides: options.thresholds, scenario: (new + base).lazy.compactMap { $0.manifest?.scenario }.first)
        hosts = HostMatch(base + new)
        baseline = try Self.baseline(self.base, self.new, options, hosts)
        try Self.refuseOtherBaseline(base + new, baseline)
        notes = hostNotes
    }

    /// Refuses an unknown name: with it, a comparison would compare nothing and pass.
    private static func refuseUnknownNames(
        _ options: ComparisonOptions, _ base: ComparisonSide, _ new: ComparisonSide
    ) throws(RunError) {
        let keys = base.keys + new.keys
        for (what, wanted, known) in [
            ("phase", options.phases, Set(keys.flatMap { [$0.phase, SizedName($0.phase).phase] })),
            ("driver", options.drivers, Set(keys.map(\.driver))),
        ] {
            guard let name = wanted.subtracting(known).min() else { continue }
            let nearest = NearestName.among(known.sorted(), to: name).map { "did you mean \"\($0)\"?" }
            throw RunError(
                .results,
                "neither the base nor the new results have the \(what) \"\(name)\"; "
                    + (nearest ?? "there are " + known.sorted().joined(separator: ", "))
            )
        }
        if !keys.isEmpty, !keys.contains(where: options.includes) {
            throw RunError(
                .results,
                "neither the base nor the new results have \(options.phases.sorted().asList) of "
                    + "\(options.drivers.sorted().asList); leave one of the two out")
        }
        try options.accepted.refuseUnknown(among: keys)
    }

    private static func baseline(
        _ base: ComparisonSide, _ new: ComparisonSide, _ options: ComparisonOptions, _ hosts: HostMatch
    ) throws(RunError) -> String? {
        switch options.relation {
        case .absolute: return nil
        case .relative(let driver):
            for side in [base, new] where !side.drivers.contains(driver) {
                throw side.lack(of: driver)
            }
            return driver
        case .automatic:
            guard let difference = hosts.difference else { return nil }
            guard let shared = SummaryTable.baseline(of: base.drivers.intersection(new.drivers)) else {
                throw RunError(
                    .results,
                    "the runs come from different machines (\(difference)) and have neither driver \""
                        + "\(SummaryTable.baseline)\" nor \"\(SummaryTable.serverBaseline)\" on both sides to relate to; "
                        + "measure both on one machine, or give --absolute")
            }
            return shared
        }
    }

    /// The baseline driver that tells of the machine, since both sides have it besides the drivers that they are about;
    /// nil if there is none, or if it is known to be another program on one side.
    var sharedBaseline: String? {
        guard base.drivers.count > 1, let driver = SummaryTable.baseline(of: base.drivers.intersection(new.drivers))
        else { return nil }
        let programs = (base.runs + new.runs).compactMap(\.manifest).map { manifest in
            let properties = manifest.drivers.first { $0.name == driver }?.properties
            return [properties ?? [:], ["build": manifest.buildConfiguration ?? ""]]
        }
        return Set(programs).count < 2 ? driver : nil
    }

    /// Refuses ratios to different revisions of the baseline: such ratios are not comparable.
    private static func refuseOtherBaseline(_ runs: [RecordedRun], _ baseline: String?) throws(RunError) {
        guard let baseline else { return }
        let revisions = runs.compactMap { run in
            run.manifest?.property("baseline_revision", of: baseline).map { (run.name, $0) }
        }
        guard let first = revisions.first, let other = revisions.first(where: { $0.1 != first.1 }) else { return }
        throw RunError(
            .results,
            "\(first.0) has revision \(first.1) of the baseline and \(other.0) revision \(other.1): ratios to them cannot be "
                + "compared; measure the base anew")
    }

    private var hostNotes: [String] {
        var notes: [String] = []
        if let difference = hosts.difference { notes.append("the machines differ: \(difference)") }
        if hosts.isAnotherBoot {
            notes.append("another boot: the runs come from different boots of the machine, so its speed may differ")
        }
        if let baseline {
            notes.append("times and memory are ratios to \(baseline) in the same run and repetition")
        }
        if !hosts.unknown.isEmpty {
            notes.append(
                "no manifest beside \(hosts.unknown.joined(separator: ", ")): the machine is unknown")
        }
        notes += (base.runs + new.runs).compactMap { run in run.unfinished.map { "\(run.name): \($0)" } }.withoutRepeats
        notes += sameRunNotes
        notes += evidenceNotes(base, "base") + evidenceNotes(new, "new")
        notes += Set((base.runs + new.runs).filter { $0.manifest?.buildConfiguration == "debug" }.map(\.name))
            .sorted().map { "\($0) comes from a debug build, whose times say nothing" }
        return notes
    }

    private var sameRunNotes: [String] {
        if base.runIDs == new.runIDs { return ["both sides are the same run"] }
        return base.runIDs.intersection(new.runIDs).sorted().map { "both sides hold the run \($0)" }
    }

    private func evidenceNotes(_ side: ComparisonSide, _ name: String) -> [String] {
        var notes: [String] = []
        if !side.failures.isEmpty {
            notes.append("\(name): \(Figure.count(side.failures.count, "row")) failed or went wrong: no evidence")
        }
        if side.unverifiedCount > 0 {
            notes.append(
                "\(name): \(Figure.count(side.unverifiedCount, "row")) interrupted or not verified: no evidence")
        }
        if side.contaminatedCount > 0 {
            let rows = Figure.count(side.contaminatedCount, "row")
            notes.append("\(name): \(rows) measured while others used the CPU, or on a slower machine")
        }
        if let sentence = side.unknownSettings.sentence { notes.append("\(name): \(sentence)") }
        return notes
    }
}

extension Manifest {
    func property(_ name: String, of driver: String) -> String? {
        drivers.first { $0.name == driver }?.properties[name]
    }
}

extension ComparisonSide {
    var runIDs: Set<String> { Set(runs.flatMap(\.runIDs)) }
}
