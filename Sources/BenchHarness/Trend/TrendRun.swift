import Foundation

/// One run of a history.
struct TrendRun: Sendable {
    /// The CSV as it was named.
    let file: String
    /// When it began; nil without a manifest.
    let started: Date?
    /// What was checked out, shortened as git does; nil when it is unknown.
    let commit: String?
    private let fileName: String

    init(_ run: RecordedRun) {
        file = run.name
        fileName = run.url.lastPathComponent
        started = run.manifest?.started
        commit = run.manifest?.git.map { $0.commit.prefix(7) + ($0.isDirty ? "-dirty" : "") }
    }

    /// What a change is dated by: the day and the commit, the minute where there is no commit, or the file's name.
    var label: String {
        guard let started else { return fileName }
        let date = started.formatted(Self.style.year().month().day())
        if let commit { return "\(date) \(commit)" }
        return date + " " + started.formatted(Self.style.time(includingFractionalSeconds: false)).prefix(5)
    }

    private static let style = Date.ISO8601FormatStyle(timeZone: .gmt)

    /// Runs from the oldest to the newest, and whether that could be told: without a manifest each they stay as they
    /// are.
    static func inOrder(_ runs: [RecordedRun]) -> (runs: [RecordedRun], isByDate: Bool) {
        let dated = runs.compactMap { run in run.manifest.map { (run: run, started: $0.started) } }
        guard dated.count == runs.count else { return (runs, false) }
        return (dated.sorted { $0.started < $1.started }.map(\.run), true)
    }
}
