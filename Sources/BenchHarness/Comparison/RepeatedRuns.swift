import Foundation

/// Whole runs of one build, made one after the other, in a file to which later calls add: a line of JSON for each run.
public final class RepeatedRuns {
    /// The file.
    public let url: URL
    /// The runs, in the order in which they were made.
    public private(set) var runs: [RecordedRun] = []
    private let build: String
    /// Locked while the file is open.
    private let descriptor: Int32

    /// A line of the file.
    private struct Line: Codable {
        var version = 1
        /// What ``ProgramHash`` says of the program.
        var build: String
        var manifest: Manifest
        /// The rows, as in the file of a run.
        var csv: String
    }

    private static let limit = 1 << 30

    /// Opens the file, and reads the runs that are there. A part of a line at the end, of a call that was killed while
    /// it wrote, is removed.
    ///
    /// - Parameters:
    ///   - url: The file; created if it does not exist.
    ///   - request: The run that is to be repeated: earlier ones must be equal.
    ///   - replaces: Whether to remove the earlier runs.
    /// - Throws: A ``RunError`` if the file has runs of another scenario, of other drivers, of another machine or of
    ///   another build.
    public init(_ url: URL, of request: RunRequest, replaces: Bool = false) throws(RunError) {
        self.url = url
        let program = request.workerCommand.first ?? CommandLine.arguments[0]
        build = try ProgramHash.text(of: URL(fileURLWithPath: program))
        descriptor = open(url.path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o644)
        guard descriptor >= 0 else {
            throw RunError(.output, "cannot open \(url.path): \(String(cString: strerror(errno)))")
        }
        guard FileLock.take(descriptor) else {
            throw RunError(.output, "\(url.path): another bench noise is adding to it; wait for its end")
        }
        if replaces { ftruncate(descriptor, 0) }
        let text = try InputFile(url, kind: "a file that bench noise --for wrote").contents(limit: Self.limit)
        let end = text.lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0
        let expected = Manifest(request, run: "")
        for (index, line) in text.prefix(end).split(separator: UInt8(ascii: "\n")).enumerated() {
            let place = "\(url.relativePath):\(index + 1)"
            runs.append(try run(line, place: place, of: expected))
        }
        if end < text.count { try removePartialLine(after: end) }
    }

    /// Removes what follows the last line, if the lines before show that the file is one of runs.
    private func removePartialLine(after end: Int) throws(RunError) {
        guard !runs.isEmpty else {
            throw RunError(
                .results,
                "\(url.relativePath): no run that bench noise --for recorded; give --output another file, or --force to "
                    + "replace this one")
        }
        ftruncate(descriptor, off_t(end))
    }

    deinit { if descriptor >= 0 { FileLock.close(descriptor) } }

    /// Returns the name of the file for a scenario.
    public static func fileName(_ scenario: String) -> String { "\(scenario).repeats.jsonl" }

    /// Adds a run.
    public func append(_ run: RecordedRun) throws(RunError) {
        guard let manifest = run.manifest else {
            throw RunError(
                .results, "\(run.name): no manifest beside it; expected the files that bench run wrote, unmoved")
        }
        let header = CSV.line(ResultColumn.all.map(\.name))
        let rows = run.rows.map { row in CSV.line(ResultColumn.all.map { $0.text(row) }) }
        let line = Line(build: build, manifest: manifest, csv: header + rows.joined())
        guard let json = try? JSONFile.line(line) else { throw RunError(.output, "cannot encode a run as JSON") }
        try write(json)
        runs.append(run)
    }

    private func write(_ line: Data) throws(RunError) {
        let length = lseek(descriptor, 0, SEEK_END)
        let written = line.withUnsafeBytes { Foundation.write(descriptor, $0.baseAddress, $0.count) }
        guard written == line.count else {
            let reason = written < 0 ? String(cString: strerror(errno)) : "only part of a run could be written"
            ftruncate(descriptor, length)
            throw RunError(.output, "cannot write to \(url.path): \(reason); it holds the runs before")
        }
    }

    private func run(_ line: Data, place: String, of expected: Manifest) throws(RunError) -> RecordedRun {
        let read: Line
        do {
            read = try JSONFile.decode(Line.self, line)
        } catch {
            throw RunError(.results, "\(place): not a run that bench noise --for recorded: \(JSONFile.reason(error))")
        }
        guard read.version == 1 else {
            throw RunError(.results, "\(place): version \(read.version); this program reads version 1")
        }
        if let difference = difference(read, expected) {
            throw RunError(
                .results,
                "\(place): a run of \(difference); give --output another file, or --force to replace the runs")
        }
        let table = try ResultTable(CSVReader(file: place, bytes: Array(read.csv.utf8)))
        let name = URL(fileURLWithPath: place, relativeTo: url.baseURL)
        return RecordedRun(url: name, rows: table.rows, manifest: read.manifest)
    }

    /// Returns how a recorded run differs from the one that is to be repeated, in words; nil if nothing differs that
    /// figures depend on.
    private func difference(_ line: Line, _ expected: Manifest) -> String? {
        let (one, other) = (line.manifest, expected)
        if let difference = ScenarioMatch.difference(one.scenario, other.scenario) {
            return "another scenario: \(difference)"
        }
        let repetitions = [one, other].map { $0.scenario?.repetitions ?? 0 }
        if repetitions[0] != repetitions[1] { return "\(repetitions[0]) repetitions, not \(repetitions[1])" }
        let drivers = [one, other].map { $0.drivers.map(\.name).joined(separator: ", ") }
        if drivers[0] != drivers[1] { return "other drivers: \(drivers[0]), not \(drivers[1])" }
        if let difference = one.host.difference(from: other.host) { return "another machine: \(difference)" }
        return line.build == build ? nil : "another build of the program"
    }
}
