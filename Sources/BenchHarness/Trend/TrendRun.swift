import Foundation

/// One run of a history.
struct TrendRun: Sendable {
    /// The CSV's name as given.
    let file: String
    /// The start time; nil without a manifest.
    let started: Date?
    /// The commit, abbreviated as git does; nil if unknown.
    let commit: String?
    private let fileName: String

    init(_ run: RecordedRun) {
        file = run.name
        fileName = run.url.lastPathComponent
        started = run.manifest?.started
        commit = run.manifest?.git.map { $0.commit.prefix(7) + ($0.isDirty ? "-dirty" : "") }
    }

    /// The label of a change: the day and the commit, the minute if there is no commit, or the file's name.
    var label: String {
        guard let started else { return fileName }
        let date = started.formatted(Self.style.year().month().day())
        if let commit { return "\(date) \(commit)" }
        return date + " " + started.formatted(Self.style.time(includingFractionalSeconds: false)).prefix(5)
    }

    private static let style = Date.ISO8601FormatStyle(timeZone: .gmt)

    /// Returns the runs from the oldest to the newest, and whether their dates are known: unless each has a manifest,
    /// they keep their order.
    static func inOrder(_ runs: [RecordedRun]) -> (runs: [RecordedRun], isByDate: Bool) {
        let dated = runs.compactMap { run in run.manifest.map { (run: run, started: $0.started) } }
        guard dated.count == runs.count else { return (runs, false) }
        return (dated.sorted { $0.started < $1.started }.map(\.run), true)
    }
}
