/// What two sides take turns at: phases that go on from one another, or commands, which have one phase.
package struct Bout: Sendable {
    /// Where both sides run.
    package enum Pinning: Sendable {
        /// On one core, which both share: the most sensitive comparison.
        case core
        /// On all cores, for what phases gain from several of them.
        case all

        /// Reads it off a phase's name in results.
        init(phase: String) { self = SizedName(phase).isOnAllCores ? .all : .core }

        /// The figures that are judged, of a load or of another phase, of a store on a server that is seen or another.
        package func figures(ofLoad isLoad: Bool, seesServer: Bool = false) -> [PairedFigure] {
            if self == .core { return PairedFigure.all + (seesServer ? [.server] : []) }
            return [.durationOnAllCores] + (isLoad ? PairedFigure.responses : [])
        }
    }

    /// The driver of each side.
    let contest: PairedRequest.Contest
    /// The phases, by their indices.
    let phases: Range<Int>
    /// The scenario, at so many records that a turn takes some milliseconds; nil for commands.
    var scenario: Scenario?
    var pinning = Pinning.core
    /// Those of the phases that are looked at, the others lead to these; nil means all.
    var wanted: [Int]?
    /// Whether the processes of a server are seen, which do a part of the work.
    var seesServer = false
    /// What results call it if it is of commands.
    var title = ""

    /// The phases whose figures are judged.
    var judgedPhases: [Int] {
        let wanted = wanted ?? Array(phases)
        return pinning == .core ? wanted : wanted.filter { work($0)?.usesSeveralCores == true }
    }

    /// The figures of a phase that are judged.
    func figures(of phase: Int) -> [PairedFigure] {
        pinning.figures(ofLoad: work(phase)?.isLoad == true, seesServer: seesServer)
    }

    /// How many figures are judged.
    var figureCount: Int { judgedPhases.reduce(0) { $0 + figures(of: $1).count } }

    /// The same phases on all cores; nil if none of them uses several.
    var onAllCores: Bout? {
        var bout = self
        bout.pinning = .all
        return bout.judgedPhases.isEmpty ? nil : bout
    }

    /// The phases with loads at the rates that they have in `scenario`. A turn on one core is a closed loop instead: it
    /// is compared by its CPU time, to which the pauses between operations add.
    func paced(as scenario: Scenario) -> Bout {
        var bout = self
        for phase in phases {
            guard var load = bout.work(phase) as? LoadWork,
                let paced = scenario.phases[phase].work.content as? LoadWork
            else { continue }
            load.keepPace(of: paced)
            bout.scenario?.phases[phase].work = Phase.Work(load)
        }
        return bout
    }

    /// What results call a phase.
    func name(_ index: Int) -> String {
        let name = phaseName(index)
        return pinning == .core ? name : SizedName(onAllCores: name).description
    }

    func key(_ index: Int) -> ComparisonKey {
        ComparisonKey(
            scenario: scenario?.name ?? title, driver: contest.name, phase: name(index),
            mode: scenario?.phases[index].mode ?? "")
    }

    /// The name that the scenario has for a phase.
    func phaseName(_ index: Int) -> String { scenario?.phases[index].name ?? PairedCommands.phase }

    private func work(_ index: Int) -> (any PhaseWork)? { scenario?.phases[index].work.content }
}
