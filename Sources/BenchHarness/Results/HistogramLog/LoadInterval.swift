/// The figures of one interval of a shard's load, as a line of a log: with those of the other shards they tell whether
/// the load as a whole drifted.
struct LoadInterval: Sendable, Equatable {
    /// What the tags of such lines end with.
    static let words = ["all", "interval"]

    /// Seconds: from the start of the load, or from that of the log it was read from.
    var start: Double
    var length: Double
    /// The times of the operations.
    var response: SmallHistogram
    var errors: Int
    var dropped: Int
    /// The heap at the end of the interval, without the harness's ledgers.
    var heapBytes: Int?
    /// The size of the store's log.
    var logBytes: Int?

    /// Takes a sample; nil if it has no times of its own.
    init?(_ sample: LoadSample) {
        guard let figures = sample.figures else { return nil }
        (start, length) = (sample.seconds - sample.intervalSeconds, sample.intervalSeconds)
        response = SmallHistogram(figures.response)
        (errors, dropped) = (figures.errors, figures.dropped)
        heapBytes = sample.heapBytes.map { $0 - sample.ledgerBytes }
        logBytes = sample.logBytes
    }

    /// Reads a line.
    init(_ entry: HistogramLog.Entry) {
        (start, length, response) = (entry.start, entry.length, entry.histogram)
        (errors, dropped) = (entry.notes["errors"] ?? 0, entry.notes["dropped"] ?? 0)
        (heapBytes, logBytes) = (entry.notes["heap_bytes"], entry.notes["log_bytes"])
    }

    /// Returns the line of a load that began at `start` of its log.
    func entry(_ key: LoadHistograms.Key, start begin: Double) -> HistogramLog.Entry {
        var notes = ["errors": errors, "dropped": dropped].filter { $0.value != 0 }
        (notes["heap_bytes"], notes["log_bytes"]) = (heapBytes, logBytes)
        return HistogramLog.Entry(
            tag: "\(key.tag)/\(Self.words.joined(separator: "/"))", start: begin + start, length: length,
            histogram: response, notes: notes)
    }
}

extension LoadSample {
    /// Returns the samples of a load from the intervals of all its shards: what all of them did at the same time.
    ///
    /// Each shard takes its samples by its own clock, a little later each time, so an interval counts for the time in
    /// which its middle lies. A time for which a shard has none is left out.
    static func sum(_ shards: [[LoadInterval]]) -> [LoadSample] {
        let length = shards.compactMap(\.usualLength).max() ?? 0
        guard length > 0 else { return [] }
        let places = shards.map { $0.byPlace(length) }
        let common = places.dropFirst().reduce(Set(places[0].keys)) { $0.intersection($1.keys) }
        return common.sorted().map { place in
            sum(places.map { $0[place] ?? [] }, end: Double(place + 1) * length)
        }
    }

    /// - Parameter shards: The intervals of each shard at one time; at least one each.
    private static func sum(_ shards: [[LoadInterval]], end: Double) -> LoadSample {
        let all = shards.joined()
        var figures = OperationFigures()
        figures.response = all.map(\.response).sum
        (figures.errors, figures.dropped) = (all.map(\.errors).reduce(0, +), all.map(\.dropped).reduce(0, +))
        var sample = LoadSample()
        sample.seconds = end
        sample.intervalSeconds = all.map(\.length).reduce(0, +) / Double(shards.count)
        (sample.operations, sample.errors) = (figures.response.count, figures.errors)
        sample.latencyP99 = figures.responsePercentile(99)
        // The processes have their own memory, and share the store.
        let heaps = shards.compactMap { $0.last?.heapBytes }
        sample.heapBytes = heaps.count == shards.count ? heaps.reduce(0, +) : nil
        sample.logBytes = all.compactMap(\.logBytes).max()
        return sample
    }
}

extension [LoadInterval] {
    /// The median length; nil without an interval.
    fileprivate var usualLength: Double? { isEmpty ? nil : map(\.length).sorted()[count / 2] }

    /// The intervals by the number of the time of this length in which their middles lie. What a damaged file puts at
    /// no such time is left out.
    fileprivate func byPlace(_ length: Double) -> [Int: Self] {
        let begin = first?.start ?? 0
        return reduce(into: [:]) { places, interval in
            let middle = interval.start - begin + interval.length / 2
            guard let place = Int(exactly: (middle / length).rounded(.down)) else { return }
            places[place, default: []].append(interval)
        }
    }
}

extension HistogramLog {
    /// The log without the lines of intervals, which belong to one shard each.
    var withoutIntervals: HistogramLog {
        let end = "/" + LoadInterval.words.joined(separator: "/")
        var rest = HistogramLog(started: started)
        for entry in entries where !entry.tag.hasSuffix(end) { rest.append(entry) }
        return rest
    }
}
