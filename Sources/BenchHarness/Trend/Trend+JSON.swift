import Foundation

extension Trend {
    /// The history as JSON for programs. Unknown values are left out; a missing point is null.
    public func json() throws -> String { String(decoding: try JSONFile.text(Document(self)), as: UTF8.self) }

    private struct Document: Encodable {
        struct Run: Encodable {
            let file: String
            let started: Date?
            let commit: String?
        }

        struct Series: Encodable {
            let scenario: String
            let phase: String
            let mode: String
            let driver: String
            /// The colour of the driver on pages and pictures.
            let color: String
            /// The metric's name with its unit; a ratio has no unit.
            let metric: String
            let label: String
            let unit: String
            let isRelative: Bool
            let points: [Double?]
            let changePercent: Double?
            /// The change points; nil, and left out, if there is too little history to find any.
            let changePoints: [Change]?
            let isHistoryTooShort: Bool
        }

        struct Change: Encodable {
            /// The index of the run, from 0.
            let run: Int
            let p: Double?
            let before: Double
            let after: Double
            let changePercent: Double?
        }

        let version = 1
        let relativeTo: String?
        let runs: [Run]
        let series: [Series]
        /// The number of series with noise, for which the significance of each is corrected.
        let tests: Int
        let significance: Double
        let remarks: [String]

        init(_ trend: Trend) {
            relativeTo = trend.relativeTo
            runs = trend.runs.map { Run(file: $0.file, started: $0.started, commit: $0.commit) }
            let names = trend.series.map(\.key.driver).withoutRepeats
            let colors = Dictionary(uniqueKeysWithValues: zip(names, DriverPalette.colors(names).map(\.light)))
            series = trend.series.map { Self.series($0, color: colors[$0.key.driver] ?? "") }
            tests = trend.searchedCount
            significance = trend.search.significance
            remarks = trend.remarks
        }

        private static func series(_ series: TrendSeries, color: String) -> Series {
            Series(
                scenario: series.key.scenario, phase: series.key.phase, mode: series.key.mode,
                driver: series.key.driver, color: color,
                metric: series.isRelative ? series.metric.name : series.metric.column,
                label: series.metric.figure.label,
                unit: series.isRelative ? "ratio" : series.metric.unit.rawValue,
                isRelative: series.isRelative, points: series.points.map { $0?.value },
                changePercent: series.percent,
                changePoints: series.changes?.map {
                    Change(run: $0.run, p: $0.p, before: $0.before, after: $0.after, changePercent: $0.percent)
                },
                isHistoryTooShort: series.changes == nil)
        }
    }
}
