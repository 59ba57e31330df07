import Foundation

/// A file of results and the manifest beside it.
public struct RecordedRun: Sendable {
    /// The CSV.
    public let url: URL
    /// Its rows.
    public let rows: [ResultRow]
    /// How they came about; nil for a CSV that came without.
    let manifest: Manifest?

    /// What messages call it.
    var name: String { url.relativePath }

    /// Reads both files. A missing manifest is no error, an unreadable one is.
    public init(contentsOf url: URL) throws {
        self.init(
            url: url, rows: try ResultTable(contentsOf: url).rows, manifest: try Manifest.read(beside: url))
    }

    /// How its figures may grow with the number of records; nil where the scenario demands nothing or is unknown.
    var growthSpec: GrowthSpec? { manifest?.scenario.growth }

    init(url: URL, rows: [ResultRow], manifest: Manifest?) {
        self.url = url
        self.rows = rows
        self.manifest = manifest
    }
}
