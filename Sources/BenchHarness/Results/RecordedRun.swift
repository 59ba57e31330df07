import Foundation

/// A file of results and the manifest beside it.
public struct RecordedRun: Sendable {
    /// The CSV.
    public let url: URL
    /// Its rows.
    public let rows: [ResultRow]
    /// The circumstances of the run; nil for a CSV without a manifest.
    package let manifest: Manifest?

    /// The run's name in messages.
    public var name: String { url.relativePath }

    /// Reads both files. A missing manifest is not an error, but one that is unreadable or of another run is, and so
    /// are two rows of one repetition.
    public init(contentsOf url: URL) throws(RunError) {
        self.init(
            url: url, rows: try ResultTable(contentsOf: url).rows, manifest: try Manifest.read(beside: url))
        try checkManifest()
        try checkRows()
    }

    /// Returns the run with the rows of these drivers alone. Each of them must be in the file.
    public func keeping(drivers: [String]) throws(RunError) -> RecordedRun {
        let present = Set(rows.map(\.driver))
        if let unknown = drivers.first(where: { !present.contains($0) }) {
            throw RunError(
                .results,
                "\(name) has no rows of the driver \(unknown); it has \(present.sorted().joined(separator: ", "))")
        }
        return RecordedRun(url: url, rows: rows.filter { drivers.contains($0.driver) }, manifest: manifest)
    }

    /// Refuses the manifest of another run, which tells of another machine, build and scenario. Rows that another
    /// program wrote may have no run.
    private func checkManifest() throws(RunError) {
        guard let manifest, let other = rows.first(where: { !$0.run.isEmpty && $0.run != manifest.run }) else { return }
        throw RunError(
            .results,
            "\(Manifest.url(beside: url).relativePath) is of the run \(manifest.run), and \(name) has rows of the run "
                + "\(other.run); put the file's own manifest beside it, or remove this one")
    }

    /// Refuses a file without rows: it says nothing, and must not look like a result in which all is well.
    public func checkHasRows() throws(RunError) {
        if rows.isEmpty { throw RunError(.results, "\(name): no rows; expected the results of a run") }
    }

    /// Why the run may lack rows, in words; nil if it came to its end, or if that is unknown.
    package var unfinished: String? {
        switch manifest?.status {
        case Manifest.running: "the run has not come to its end: it was killed, or still goes on"
        case Manifest.interrupted: "the run was interrupted before its end"
        default: nil
        }
    }

    /// The limits on the growth of figures with the number of records; nil if the scenario sets none or is unknown.
    package var growthSpec: GrowthSpec? { manifest?.scenario?.growth }

    /// The searches for the highest rate that the run was.
    package var searches: [FoundRate] { FoundRate.recorded(in: rows, manifest?.foundRates ?? []) }

    package init(url: URL, rows: [ResultRow], manifest: Manifest?) {
        self.url = url
        self.rows = rows
        self.manifest = manifest
    }
}
