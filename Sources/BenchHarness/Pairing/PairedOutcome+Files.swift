import Foundation

extension PairedOutcome {
    /// The files that ``write(to:)`` makes, but for the manifests.
    public static let fileNames = ["base.csv", "new.csv", "turns.csv"]

    private static let header = [
        "launch", "core", "driver", "phase", "quad", "first", "side", "turn", "records", "operations", "cpu_ns",
        "duration_ns", "release_ns",
    ]

    /// Writes a CSV of launches and a manifest for each side, and a CSV of all turns. What is there is replaced.
    public func write(to folder: URL) throws {
        for side in Side.allCases {
            try run(of: side).write(to: folder.appendingPathComponent("\(side.rawValue).csv"))
        }
        let file = try CSVFile(
            path: folder.appendingPathComponent("turns.csv").path, header: Self.header, replace: true)
        for (bout, launches) in zip(bouts, launches) {
            for launch in launches {
                for line in launch.lines(of: bout) { try file.append(line) }
            }
        }
    }
}

extension Launch {
    fileprivate func lines(of bout: Bout) -> [[String]] {
        phases.flatMap { phase in
            (quads[phase] ?? []).enumerated().flatMap { number, quad in
                Side.allCases.flatMap { side in
                    quad.turns(of: side).enumerated().map { turn, times in
                        [
                            "\(self.number)", core.map(String.init) ?? "all", bout.contest.name,
                            bout.name(phase), "\(number + 1)", quad.first.rawValue, side.rawValue,
                            "\(turn + 1)", "\(bout.scenario.records)", "\(times.operations)", "\(times.cpu)",
                            "\(times.duration)", "\(times.release)",
                        ]
                    }
                }
            }
        }
    }
}
