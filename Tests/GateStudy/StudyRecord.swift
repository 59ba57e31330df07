import Foundation

/// What one run of the gate came to, phase by phase.
struct StudyRecord: Equatable {
    /// Identifies the run, of which there is a record for each phase.
    var run: String
    var load: BackgroundLoad
    var variant: StudyVariant
    /// The phase that is slower; empty where none is.
    var slowed: String
    var phase: String
    /// What is judged: CPU time, or the time by the clock.
    var metric: String
    var verdict: String
    /// New over base.
    var ratio: Double?
    var launches: Int { launchRatios.count }
    /// The ratio of each launch, in their order: how they would be judged by another rule can be told from them.
    var launchRatios: [Double]
    /// What the whole run took.
    var seconds: Double

    static let header = "run,load,variant,slowed,phase,metric,verdict,ratio,launches,seconds,launch_ratios"

    /// None of the fields has anything to quote.
    var line: String {
        let fields = [
            run, load.rawValue, variant.description, slowed, phase, metric, verdict,
            ratio.map { String(format: "%.4f", $0) } ?? "",
            "\(launches)", String(format: "%.1f", seconds),
            launchRatios.map { String(format: "%.4f", $0) }.joined(separator: " "),
        ]
        return fields.joined(separator: ",")
    }

    init(
        run: String, _ condition: StudyCondition, slowed: String, phase: String, metric: String, verdict: String,
        ratio: Double?, launchRatios: [Double], seconds: Double
    ) {
        (self.run, load, variant) = (run, condition.load, condition.variant)
        (self.slowed, self.phase, self.metric) = (slowed, phase, metric)
        (self.verdict, self.ratio) = (verdict, ratio)
        (self.launchRatios, self.seconds) = (launchRatios, seconds)
    }

    init?(line: Substring) {
        let fields = line.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
        guard fields.count == 11, let load = BackgroundLoad(rawValue: fields[1]),
            let variant = StudyVariant.allCases.first(where: { $0.description == fields[2] }),
            let launches = Int(fields[8]), let seconds = Double(fields[9])
        else { return nil }
        let launchRatios = fields[10].split(separator: " ").compactMap { Double($0) }
        guard launchRatios.count == launches else { return nil }
        self.init(
            run: fields[0], StudyCondition(load: load, variant: variant), slowed: fields[3], phase: fields[4],
            metric: fields[5], verdict: fields[6], ratio: Double(fields[7]), launchRatios: launchRatios,
            seconds: seconds)
    }
}

extension StudyRecord {
    /// The records, run by run.
    static func runs(_ records: [StudyRecord]) -> [[StudyRecord]] {
        Array(Dictionary(grouping: records, by: \.run).values)
    }

    func isOf(_ condition: StudyCondition) -> Bool { load == condition.load && variant == condition.variant }
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
