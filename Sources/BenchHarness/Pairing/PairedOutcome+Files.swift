import Foundation

extension PairedOutcome {
    /// The files that ``write(to:)`` makes.
    public static let fileNames =
        Side.allCases.flatMap { side in [file(of: side), Manifest.url(beside: file(of: side))].map(\.lastPathComponent)
        }
        + [RecordedTurns.fileName]

    private static func file(of side: Side) -> URL { URL(fileURLWithPath: "\(side.rawValue).csv") }

    static let header = [
        "launch", "core", "driver", "phase", "quad", "first", "side", "turn", "records", "operations", "cpu_ns",
        "duration_ns", "release_ns", "pressure", "others_cores", "throttled", "at_once", "latency_p50_ns",
        "latency_p99_ns", "cpu_server_ns",
    ]

    /// Writes a CSV of launches and a manifest for each side, and a CSV of all turns. What is there is replaced.
    public func write(to folder: URL) throws {
        for side in Side.allCases {
            try run(of: side).write(to: folder.appendingPathComponent("\(side.rawValue).csv"))
        }
        let file = try CSVFile(
            path: folder.appendingPathComponent(RecordedTurns.fileName).path, header: Self.header, replace: true)
        for (bout, launches) in zip(bouts, launches) {
            for launch in launches {
                for line in launch.lines(of: bout) { try file.append(line) }
            }
        }
    }
}

extension Surroundings {
    /// What the last columns hold.
    fileprivate var fields: [String] { [pressure, othersCores, throttled].map { $0.map { "\($0)" } ?? "" } }
}

extension Launch {
    fileprivate func lines(of bout: Bout) -> [[String]] {
        var lines: [[String]] = []
        for phase in phases {
            for (number, quad) in (quads[phase] ?? []).enumerated() {
                for side in Side.allCases {
                    for (turn, times) in quad.turns(of: side).enumerated() {
                        var line = place(of: phase, in: bout)
                        line += ["\(number + 1)", quad.first.rawValue, side.rawValue, "\(turn + 1)"]
                        line += [bout.scenario.map { "\($0.records)" } ?? ""] + times.fields + surroundings.fields
                        line +=
                            ["\(quad.isAtOnce)"]
                            + [times.responses?.p50, times.responses?.p99, times.server].map(\.csvField)
                        lines.append(line)
                    }
                }
            }
        }
        return lines
    }

    private func place(of phase: Int, in bout: Bout) -> [String] {
        ["\(number)", core.map(String.init) ?? "all", bout.contest.name, bout.name(phase)]
    }
}

extension Turn {
    /// What the columns from the operations on hold.
    fileprivate var fields: [String] { [operations, cpu, duration, release].map(String.init) }
}
