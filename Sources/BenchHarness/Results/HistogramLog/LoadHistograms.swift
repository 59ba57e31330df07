import Foundation

/// The times of the operations of loads, as lines of a log: for each driver, phase, repetition and kind of operation,
/// those of the responses and those of the service.
struct LoadHistograms: Sendable, Equatable {
    /// One load of a run.
    struct Key: Sendable, Hashable {
        var driver: String
        var phase: String
        var repetition: Int
    }

    private(set) var loads: [Key: [OperationKind: OperationFigures]] = [:]
    /// The intervals of each load, in order, if its process was one of several.
    private(set) var intervals: [Key: [LoadInterval]] = [:]

    private enum Part: String {
        case response
        case service
    }

    /// Reads the lines of loads; others are left out.
    init(_ log: HistogramLog) {
        for entry in log.entries {
            let words = entry.tag.split(separator: "/").map { $0.removingPercentEncoding ?? String($0) }
            guard words.count == 5, let repetition = Int(words[2]) else { continue }
            let key = Key(driver: words[0], phase: words[1], repetition: repetition)
            if words[3...] == LoadInterval.words[...] {
                intervals[key, default: []].append(LoadInterval(entry))
                continue
            }
            guard let kind = OperationKind(rawValue: words[3]), let part = Part(rawValue: words[4]) else { continue }
            var figures = loads[key, default: [:]][kind] ?? OperationFigures()
            switch part {
            case .response:
                figures.response.merge(entry.histogram.whole)
                figures.errors += entry.notes["errors"] ?? 0
                figures.dropped += entry.notes["dropped"] ?? 0
                figures.missing += entry.notes["missing"] ?? 0
            case .service: figures.service.merge(entry.histogram.whole)
            }
            loads[key, default: [:]][kind] = figures
        }
    }

    /// Returns the lines of a load.
    ///
    /// - Parameters:
    ///   - start: Seconds from the start of the log.
    ///   - length: The seconds that the load took.
    static func entries(
        _ key: Key, _ kinds: [OperationKind: OperationFigures], start: Double, length: Double
    ) -> [HistogramLog.Entry] {
        kinds.sorted { $0.key.rawValue < $1.key.rawValue }.flatMap { kind, figures in
            let tag = "\(key.tag)/\(kind.rawValue)"
            let counts = ["errors": figures.errors, "dropped": figures.dropped, "missing": figures.missing]
            return [
                HistogramLog.Entry(
                    tag: "\(tag)/\(Part.response)", start: start, length: length,
                    histogram: SmallHistogram(figures.response),
                    notes: counts.filter { $0.value != 0 }),
                HistogramLog.Entry(
                    tag: "\(tag)/\(Part.service)", start: start, length: length,
                    histogram: SmallHistogram(figures.service)),
            ]
        }
    }

}

extension LoadHistograms.Key {
    /// What the tags of the load's lines begin with. A tag ends at a comma.
    var tag: String {
        [driver, phase, "\(repetition)"].map {
            $0.addingPercentEncoding(withAllowedCharacters: Self.allowed) ?? $0
        }.joined(separator: "/")
    }

    private static let allowed = CharacterSet.alphanumerics.union(CharacterSet(charactersIn: "-_.@="))
}
