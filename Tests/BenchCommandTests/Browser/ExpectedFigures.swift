import Foundation

/// Medians of a CSV, worked out without the program that is tested.
struct ExpectedFigures {
    struct Key: Hashable {
        var phase: String
        var driver: String
        var metric: String
    }

    let medians: [Key: Double]

    /// Reads a CSV without quoted fields.
    init(csv: URL, metrics: [String]) throws {
        let lines = try String(contentsOf: csv, encoding: .utf8).split(separator: "\n")
        let header = lines[0].split(separator: ",").map(String.init)
        var values: [Key: [Double]] = [:]
        for line in lines.dropFirst() {
            let fields = line.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
            let row = Dictionary(uniqueKeysWithValues: zip(header, fields))
            guard row["status"] == "ok", row["verified"] == "true" else { continue }
            for metric in metrics {
                guard let value = Double(row[metric] ?? "") else { continue }
                let key = Key(phase: row["phase"] ?? "", driver: row["driver"] ?? "", metric: metric)
                values[key, default: []].append(value)
            }
        }
        medians = values.mapValues { values in
            let sorted = values.sorted()
            let middle = sorted.count / 2
            return sorted.count % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2
        }
    }
}
