import Foundation

/// A log of histograms with tags, in HdrHistogram's format (version 1.3, histograms of version 2).
///
/// What that format has no place for, such as exact extremes, stands in comments, which other programs skip.
public struct HistogramLog: Sendable, Equatable {
    /// A line of the log.
    struct Entry: Sendable, Equatable {
        /// What the histogram is of; empty for a line without a tag.
        var tag: String
        /// Seconds from the start of the log, and the length of the interval.
        var start: Double
        var length: Double
        /// The times. A log may have thousands of lines.
        var histogram: SmallHistogram
        /// Other numbers that belong to the tag.
        var notes: [String: Int] = [:]
    }

    /// Seconds since 1970.
    var started: Double
    var entries: [Entry] = []

    init(started: Double) { self.started = started }

    mutating func append(_ entry: Entry) { entries.append(entry) }

    private static let nanosecondsPerMillisecond = 1e6
    private static let note = "#[Note: "
    /// More than any count or size. The sum of all lines of a file cannot overflow.
    private static let greatestNote = UInt(1) << 40

    /// The text of the log.
    var text: String {
        var text = """
            #[Histogram log format version 1.3]
            #[StartTime: \(String(format: "%.3f", started)) (seconds since epoch)]
            #[Values in nanoseconds; Interval_Max in milliseconds]
            "StartTimestamp","Interval_Length","Interval_Max","Interval_Compressed_Histogram"

            """
        for entry in entries {
            let notes = entry.histogram.extremes.merging(entry.notes) { own, _ in own }.sorted { $0.key < $1.key }
            if !notes.isEmpty {
                text += "\(Self.note)\(entry.tag) \(notes.map { "\($0)=\($1)" }.joined(separator: " "))]\n"
            }
            let tag = entry.tag.isEmpty ? "" : "Tag=\(entry.tag),"
            let max = Double(entry.histogram.max ?? 0) / Self.nanosecondsPerMillisecond
            // A tag may have percent signs.
            text += tag + String(format: "%.3f,%.3f,%.6f,", entry.start, entry.length, max)
            text += entry.histogram.encoded + "\n"
        }
        return text
    }
}

extension SmallHistogram {
    /// The exact extremes, which a log's line lacks.
    fileprivate var extremes: [String: Int] {
        guard let min, let max else { return [:] }
        return ["min": min, "max": max]
    }
}

// MARK: - Reading

extension HistogramLog {
    /// Reads a log, also of another program.
    public init(contentsOf url: URL) throws {
        let file = try InputFile(url, kind: "a log of histograms")
        try self.init(file.contents(limit: ResultLimits.histogramLogBytes), file: file.name)
    }

    init(_ contents: Data, file: String) throws(RunError) {
        self.init(started: 0)
        var (notes, isLog) = ([String: Int](), false)
        let lines = contents.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        for (number, bytes) in lines.enumerated() {
            let line = String(decoding: bytes, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
            if line.hasPrefix("#") {
                isLog = isLog || line.hasPrefix("#[Histogram log format version")
                if let start = Self.seconds(line, "#[StartTime: ") { started = start }
                if line.hasPrefix(Self.note) { notes = Self.notes(line) }
                continue
            }
            if line.isEmpty || line.hasPrefix("\"StartTimestamp\"") { continue }
            guard let entry = Self.entry(line, notes) else {
                throw RunError(
                    .results,
                    "\(file):\(number + 1): \(String(line.prefix(60)).quoted); expected a start, a length, a "
                        + "maximum and an HdrHistogram, version 2, of three significant digits and values from 1")
            }
            entries.append(entry)
            notes = [:]
        }
        guard isLog || !entries.isEmpty else {
            throw RunError(.results, "\(file): no line of an HdrHistogram log; expected an .hlog of bench run")
        }
    }

    private static func seconds(_ line: String, _ prefix: String) -> Double? {
        guard line.hasPrefix(prefix) else { return nil }
        return line.dropFirst(prefix.count).split(separator: " ").first.flatMap { Double($0) }
    }

    private static func notes(_ line: String) -> [String: Int] {
        let pairs = line.dropFirst(note.count).drop { $0 != " " }.split(whereSeparator: { " ]".contains($0) })
        return pairs.reduce(into: [:]) { notes, pair in
            let parts = pair.split(separator: "=")
            if parts.count == 2 { notes[String(parts[0])] = Int(parts[1]) }
        }
    }

    private static func entry(_ line: String, _ notes: [String: Int]) -> Entry? {
        var fields = line.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
        var tag = ""
        if let first = fields.first, first.hasPrefix("Tag=") {
            tag = String(first.dropFirst("Tag=".count))
            fields.removeFirst()
        }
        guard fields.count == 4, let start = Double(fields[0]), let length = Double(fields[1]),
            Double(fields[2]) != nil, var histogram = LatencyHistogram(encoded: fields[3])
        else { return nil }
        histogram.restore(min: notes["min"], max: notes["max"])
        let other = notes.filter { !["min", "max"].contains($0.key) && $0.value.magnitude <= greatestNote }
        return Entry(tag: tag, start: start, length: length, histogram: SmallHistogram(histogram), notes: other)
    }
}

extension HistogramLog {
    /// Writes the log atomically.
    public func write(to url: URL) throws {
        try AtomicFile.write(Data(text.utf8), to: url.path)
    }

    /// Returns the log of a CSV: `load.csv` has `load.hlog`.
    static func url(beside csv: URL) -> URL { csv.besideResult(".hlog") }
}
