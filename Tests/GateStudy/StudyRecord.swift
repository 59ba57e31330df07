import Foundation

/// A run of the gate.
struct StudyRun: Hashable {
    /// Identifies it.
    var id: String
    /// When it began, as a date and time of ISO 8601; empty if it is not known.
    var started = ""
    /// The commit of the program, with a plus if it had other changes; empty if it is not known.
    var commit = ""
    var condition: StudyCondition
    /// The layouts of both sides, or the one that both have; empty if they are not known.
    var layouts = ""
    /// The model of the processor; empty if it is not known.
    var processor = ""
    /// The phase that is slower; empty where none is.
    var slowed = ""
    /// What the whole run took.
    var seconds: Double
}

/// What one figure of a run came to.
struct StudyRecord: Equatable {
    var run: StudyRun
    var phase: String
    /// What is judged: CPU time, or the time by the clock.
    var metric: String
    var verdict: String
    /// New over base.
    var ratio: Double?
    /// The ratio of each launch, in their order: how they would be judged by another rule can be told from them.
    var launchRatios: [Double]

    var launches: Int { launchRatios.count }

    static let header =
        "run,started,commit,processor,layouts,driver,load,variant,slowed,phase,metric,verdict,ratio,launches,seconds,launch_ratios"

    /// None of the fields has anything to quote: a comma in the name of a processor becomes a space.
    var line: String {
        let fields = [
            run.id, run.started, run.commit, run.processor.replacingOccurrences(of: ",", with: " "), run.layouts,
            run.condition.store.rawValue, run.condition.load.rawValue, run.condition.variant.description, run.slowed,
            phase, metric, verdict, ratio.map { String(format: "%.4f", $0) } ?? "",
            "\(launches)", String(format: "%.1f", run.seconds),
            launchRatios.map { String(format: "%.4f", $0) }.joined(separator: " "),
        ]
        return fields.joined(separator: ",")
    }

    init(
        _ run: StudyRun, phase: String, metric: String, verdict: String, ratio: Double?, launchRatios: [Double]
    ) {
        (self.run, self.phase, self.metric) = (run, phase, metric)
        (self.verdict, self.ratio, self.launchRatios) = (verdict, ratio, launchRatios)
    }

    init?(line: Substring) {
        let fields = line.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
        guard fields.count == 16, let store = StudiedStore(rawValue: fields[5]),
            let load = BackgroundLoad(rawValue: fields[6]),
            let variant = StudyVariant.allCases.first(where: { $0.description == fields[7] }),
            let launches = Int(fields[13]), let seconds = Double(fields[14])
        else { return nil }
        let launchRatios = fields[15].split(separator: " ").compactMap { Double($0) }
        guard launchRatios.count == launches else { return nil }
        let run = StudyRun(
            id: fields[0], started: fields[1], commit: fields[2],
            condition: StudyCondition(store: store, load: load, variant: variant), layouts: fields[4],
            processor: fields[3], slowed: fields[8], seconds: seconds)
        self.init(
            run, phase: fields[9], metric: fields[10], verdict: fields[11], ratio: Double(fields[12]),
            launchRatios: launchRatios)
    }

    /// The records, run by run.
    static func runs(_ records: [StudyRecord]) -> [[StudyRecord]] {
        Array(Dictionary(grouping: records, by: \.run.id).values)
    }
}

/// The file in which runs gather, sitting after sitting.
struct StudyLog {
    let path: String

    /// Reads what is there; nothing where there is no file yet.
    func records() throws -> [StudyRecord] {
        guard FileManager.default.fileExists(atPath: path) else { return [] }
        let lines = try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n")
        guard lines.first.map(String.init) == StudyRecord.header else {
            throw StudyError("\(path): no log of this study")
        }
        return try lines.dropFirst().enumerated().map { index, line in
            guard let record = StudyRecord(line: line) else { throw StudyError("\(path):\(index + 2): not a record") }
            return record
        }
    }

    /// Adds the records of one run at once, so that a sitting that is ended leaves whole runs.
    func append(_ records: [StudyRecord]) throws {
        let url = URL(fileURLWithPath: path)
        if !FileManager.default.fileExists(atPath: path) { try Data((StudyRecord.header + "\n").utf8).write(to: url) }
        let file = try FileHandle(forWritingTo: url)
        defer { try? file.close() }
        try file.seekToEnd()
        try file.write(contentsOf: Data(records.map { $0.line + "\n" }.joined().utf8))
    }
}

/// What keeps the study from going on, in words.
struct StudyError: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) {
        self.description = description
    }
}
