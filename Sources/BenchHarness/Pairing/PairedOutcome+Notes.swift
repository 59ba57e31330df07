extension PairedOutcome {
    /// Further facts that a reader of the verdicts needs: what could not be done on this machine, a line for each.
    var notes: [String] {
        facts + [pinningNote, oneCoreNote, needlessNote, clockNote].compactMap(\.self) + trailingNotes + responseNotes
            + figures.notJudged.map { reason, figures in
                let more = figures.count > 3 ? " and \(figures.count - 3) more" : ""
                return "not judged: \(reason) (\(figures.prefix(3).joined(separator: ", "))\(more))"
            }
    }

    /// From which change on the response times of a load would have a verdict: they scatter far more than CPU times.
    private var responseNotes: [String] {
        let figures = figures
        return bouts.filter { $0.pinning == .all }.flatMap { bout in
            bout.judgedPhases.compactMap { phase in
                let key = bout.key(phase)
                let least = PairedFigure.responses.compactMap { figure in
                    figures.series(key, figure.metric)?.leastChange.map { "\(figure.metric) \(Figure.percent($0))" }
                }
                guard !least.isEmpty else { return nil }
                return "response times of \(key.phase) of \(key.driver) show changes from here on: "
                    + least.joined(separator: ", ")
            }
        }
    }

    private var pinningNote: String? {
        let pinned = zip(bouts, launches).filter { $0.0.pinning == .core }
        guard pinned.flatMap(\.1).contains(where: { $0.core == nil }) else { return nil }
        return
            "the system does not let a process be kept on one core: sides on different cores differ by more, and it "
            + "takes more launches to judge them"
    }

    private var oneCoreNote: String? {
        let names = bouts.compactMap(\.onAllCores).flatMap { bout in
            bout.judgedPhases.map(bout.phaseName)
        }
        guard coreCount == 1, !names.isEmpty else { return nil }
        let list = names.withoutRepeats.joined(separator: ", ")
        return "one core is allowed: the times on several cores were not compared (\(list))"
    }

    /// What all cores would show cannot undo a regression on one.
    private var needlessNote: String? {
        let names = figures.needless.map { "\($0.phase) of \($0.driver)" }
        guard !names.isEmpty else { return nil }
        return "not compared on several cores, having regressed on one: \(names.joined(separator: ", "))"
    }

    /// Work that trails after the clock is in no figure: a new side that moves work there must not seem faster.
    private var trailingNotes: [String] {
        zip(bouts, launches).filter { $0.0.pinning == .core }.flatMap { bout, launches in
            bout.judgedPhases.compactMap { phase in trailingNote(bout, phase, launches) }
        }
    }

    private func trailingNote(_ bout: Bout, _ phase: Int, _ launches: [Launch]) -> String? {
        func median(_ side: Side, _ value: (Turn) -> Int) -> Double {
            let turns = launches.flatMap { $0.quads(ofPhase: phase, showing: .cpu).flatMap { $0.turns(of: side) } }
            return SampleSummary(turns.map { Double(value($0)) })?.median ?? 0
        }
        let (before, after) = (median(.base, \.release), median(.new, \.release))
        let key = bout.key(phase)
        guard launches.count >= SequentialTest.fewest,
            after - before > PairedEvidence(rules: evidence).threshold(key, bout.pinning, .cpu) * median(.base, \.cpu)
        else { return nil }
        return
            "\(key.phase) of \(key.driver) works on for \(Figure.duration(after)) after the clock has stopped (base: "
            + "\(Figure.duration(before))): no figure contains that"
    }

    /// Some sandboxes count CPU time in whole ticks of a timer.
    private var clockNote: String? {
        let turns = launches.joined().flatMap { $0.quads.values.joined() }.flatMap { $0.base + $0.new }
        guard let tick = turns.tick else { return nil }
        return "the clock of CPU time ticks every \(Figure.duration(Double(tick))): it takes more launches to judge it"
    }
}
