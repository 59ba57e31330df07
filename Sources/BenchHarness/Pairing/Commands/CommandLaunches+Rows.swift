import Foundation

/// What results hold of commands.
extension CommandLaunches {
    /// What each side's turns recorded, besides their times.
    func reports(_ bout: Bout, _ turns: [Side: [CommandSide.Runs]]) -> [Side: [PhaseReport]] {
        Dictionary(
            uniqueKeysWithValues: turns.map { side, runs in
                var row = row(bout, side)
                row.usage = runs.first?.usage ?? ResultRow.Usage()
                row.outcome.verified = true
                return (side, [PhaseReport(row: row)])
            })
    }

    /// A launch in which the new side failed, as it will again.
    func failed(_ bout: Bout, _ problem: String) -> Launch {
        var (base, new) = (row(bout, .base), row(bout, .new))
        base.outcome.verified = true
        (new.outcome.status, new.outcome.verified, new.outcome.error) = (.failed, false, problem)
        return Launch(
            number: 1, core: coreToRehearse, phases: bout.phases,
            rehearsals: [.base: [PhaseReport(row: base)], .new: [PhaseReport(row: new)]], quads: [:],
            manifests: manifests(bout), surroundings: Surroundings(), seconds: nil, problems: [:])
    }

    private func row(_ bout: Bout, _ side: Side) -> ResultRow {
        var row = ResultRow()
        row.identity.run = "\(id)-\(side.rawValue)"
        (row.identity.scenario, row.identity.driver) = (bout.title, bout.contest.name)
        (row.identity.phase, row.identity.kind) = (PairedCommands.phase, PairedCommands.kind)
        return row
    }

    func manifests(_ bout: Bout) -> [Side: Manifest] {
        Dictionary(
            uniqueKeysWithValues: Side.allCases.map { side in
                let manifest = Manifest(
                    of: request.program(side), named: bout.contest.driver(side), in: request,
                    run: "\(id)-\(side.rawValue)")
                return (side, manifest)
            })
    }

    /// What a reader of the verdict needs to know of the commands.
    var notes: [String] {
        guard rehearsals.values.allSatisfy({ $0.problem == nil }) else { return [] }
        return [aloneNote, waitingNote, startNote].compactMap(\.self)
    }

    private var aloneNote: String? {
        let parts = Side.allCases.compactMap { side in rehearsals[side].map { "\(side.rawValue) \($0.text)" } }
        return "alone, a run takes: " + parts.joined(separator: "; ")
    }

    private var waitingNote: String? {
        guard waits else { return nil }
        return
            "the commands wait for some of their time, so they ran one after the other, and their duration is judged as "
            + "well where the machine is quiet"
    }

    private var startNote: String? {
        let cpu = rehearsals.values.map(\.cpu).min() ?? 0
        guard cpu < 3_000_000 else { return nil }
        return
            "a run takes \(Figure.duration(Double(cpu))) of CPU time, of which starting a process is a good part: a "
            + "command that does more shows changes of its own better"
    }
}

extension Manifest {
    /// The manifest of a command.
    fileprivate init(
        of program: PairedRequest.Program, named name: String, in request: PairedRequest, run: String
    ) {
        self.run = run
        commandLine = request.commandLine
        seed = 0
        (buildConfiguration, swift) = (nil, nil)
        git = GitFacts.ofWorkingDirectory
        drivers = [DriverFacts(name: name, properties: ["command": StoreAddress.redacted(program.title)])]
    }
}

extension CommandSide.Rehearsal {
    /// What one run takes.
    fileprivate var text: String {
        let time = "\(Figure.duration(Double(duration))), of which \(Figure.duration(Double(cpu))) CPU time"
        return time + (peak.map { ", and \(Figure.size(Double($0))) of memory at most" } ?? "")
    }
}
