import Foundation

/// Adding logs up.
extension HistogramLog {
    /// Reads logs, and returns one with the values of all.
    ///
    /// - Throws: A ``RunError`` if one of them holds all values of another, as a copy does.
    public static func merged(contentsOf files: [URL]) throws -> HistogramLog {
        let logs = try files.map { try HistogramLog(contentsOf: $0) }
        let lines = logs.map(\.lines)
        for (index, own) in lines.enumerated() where !own.isEmpty {
            guard let other = lines.indices.first(where: { $0 != index && own.isSubset(of: lines[$0]) }) else {
                continue
            }
            throw RunError(
                .results,
                "\(files[other].relativePath) holds all values of \(files[index].relativePath); leave one of them "
                    + "out, or they count twice")
        }
        return merged(logs)
    }

    /// A line with values, at the time of day at which they were taken, in milliseconds.
    private struct Line: Hashable {
        let tag: String
        let time: Double
        let values: String
    }

    private var lines: Set<Line> {
        Set(
            entries.filter { $0.histogram.count > 0 }.map { entry in
                Line(
                    tag: entry.tag, time: ((started + entry.start) * 1_000).rounded(), values: entry.histogram.encoded)
            })
    }

    /// Returns a log with one line for each tag, which has the values of all lines of all logs with it.
    public static func merged(_ logs: [HistogramLog]) -> HistogramLog {
        var merged = HistogramLog(started: logs.map(\.started).min() ?? 0)
        var places: [String: Int] = [:]
        for log in logs {
            let shift = log.started - merged.started
            for entry in log.entries {
                var entry = entry
                entry.start += shift
                if let place = places[entry.tag] {
                    merged.entries[place].add(entry)
                } else {
                    places[entry.tag] = merged.entries.count
                    merged.append(entry)
                }
            }
        }
        return merged
    }
}

extension HistogramLog.Entry {
    fileprivate mutating func add(_ other: Self) {
        let (first, last) = (min(start, other.start), max(start + length, other.start + other.length))
        (start, length) = (first, last - first)
        histogram = SmallHistogram([histogram, other.histogram].sum)
        notes.merge(other.notes, uniquingKeysWith: +)
    }
}
