import BenchHarness
import Dispatch
import Foundation

/// The cost of the harness's reading of records within the clock, on records whose own reading costs as little as
/// possible: the part of each fetch that the harness adds for every driver alike.
public struct WalkCost: Sendable, Equatable, Encodable {
    /// The number of records.
    public let records: Int
    /// The number of readings.
    public let readings: Int
    /// The duration of the fastest reading, in nanoseconds.
    public let leastNs: Double
    /// The median duration of a reading, in nanoseconds.
    public let medianNs: Double
    /// The median for one record.
    public let perRecordNs: Double

    /// - Precondition: There is at least one record and one duration.
    init(records: Int, durations: [Int]) {
        precondition(records > 0 && !durations.isEmpty, "there is something to read")
        self.records = records
        readings = durations.count
        let sorted = durations.map(Double.init).sorted()
        leastNs = sorted[0]
        medianNs = SampleSummary.quantile(0.5, ofSorted: sorted)
        perRecordNs = medianNs / Double(records)
    }

    /// Reads `fetched` several times, as the harness reads the result of an asynchronous fetch.
    public static func measure(
        _ fetched: any FetchedRecords, readings: Int, clock: any NanosecondClock = MonotonicClock()
    ) throws -> WalkCost {
        let queue = DispatchQueue(label: "bench.walk")
        let durations = try (0..<readings).map { _ in
            var walk = RecordWalk(.slices)
            let start = clock.now()
            try walk.read(fetched, on: queue)
            return clock.now() - start
        }
        return WalkCost(records: fetched.count, durations: durations)
    }

    /// The cost in a sentence.
    public var text: String {
        "Reading \(Figure.count(records, "record")) takes \(Figure.duration(medianNs)) (least \(Figure.duration(leastNs))), "
            + "\(Figure.duration(perRecordNs)) a record; median of \(Figure.count(readings, "reading"))."
    }

    /// The cost as JSON.
    public func json() throws -> String { String(decoding: try JSONFile.text(self), as: UTF8.self) }
}
