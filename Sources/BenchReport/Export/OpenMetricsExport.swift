import BenchHarness

/// A run as OpenMetrics 1.0 text (prometheus.io/docs/specs/om/open_metrics_spec).
///
/// Every figure is a gauge: it describes one repetition and does not accumulate. Units are base units, seconds and
/// bytes, and part of the names. A missing figure has no sample, and neither has a failed row; `bench_repetitions`
/// counts how repetitions ended.
struct OpenMetricsExport {
    private let rows: [ResultRow]
    private let manifest: Manifest?

    /// Takes a run in which each row has its own labels: OpenMetrics forbids two samples with the same labels.
    init(_ run: RecordedRun) throws(RunError) {
        rows = run.rows
        manifest = run.manifest
        var seen: Set<MetricLabels> = []
        for row in run.rows where !seen.insert(MetricLabels(row)).inserted {
            throw RunError(
                .results,
                "\(run.name): \(row.driver.quoted), \(row.phase.quoted), repetition \(row.repetition) occurs "
                    + "twice; expected one run: export each run alone")
        }
    }

    func write(to sink: (String) throws -> Void) throws {
        try sink(runFamily + repetitionFamily)
        let samples = rows.indices.filter { rows[$0].isExported }.map {
            (place: $0, labels: MetricLabels(rows[$0]).text)
        }
        for (column, figure) in ResultColumn.figures {
            let metric = OpenMetricsFamily(column, figure)
            var start = metric.metadata
            for sample in samples {
                guard let value = metric.value(rows[sample.place]) else { continue }
                try sink("\(start)\(metric.name){\(sample.labels)} \(value)\n")
                start = ""
            }
        }
        try sink("# EOF\n")
    }

    /// The facts of the run, if it has a manifest.
    private var runFamily: String {
        guard let manifest else { return "" }
        let labels = MetricLabels([
            ("run", manifest.run), ("build", manifest.buildConfiguration ?? ""), ("commit", manifest.git?.commit ?? ""),
            ("cpu", manifest.host.cpuModel ?? ""), ("cores", manifest.host.coresText),
            ("kernel", manifest.host.kernel ?? ""),
            ("file_system", manifest.fileSystem ?? ""),
        ])
        return "# TYPE bench_run info\n# HELP bench_run What was run, and where.\nbench_run_info{\(labels.text)} 1\n"
    }

    private var repetitionFamily: String {
        let name = "bench_repetitions"
        var text =
            "# TYPE \(name) gauge\n# HELP \(name) Repetitions by how they ended; only those that are ok have figures.\n"
        for group in ExportGroup.groups(rows, by: MetricLabels.init(phaseOf:)) {
            let endings = group.places.map { place in
                rows[place].status == .ok && !rows[place].isExported ? .failed : rows[place].status
            }
            for status in ResultRow.Status.allCases {
                let count = endings.count { $0 == status }
                text += "\(name){\(group.key.with("status", status.rawValue).text)} \(count)\n"
            }
        }
        return text
    }
}

/// The labels of a sample.
private struct MetricLabels: Hashable {
    private let names: [String]
    private let values: [String]

    /// Creates labels without the empty ones: OpenMetrics equates an empty label with a missing one.
    init(_ labels: [(String, String)]) {
        let present = labels.filter { !$0.1.isEmpty }
        names = present.map(\.0)
        values = present.map(\.1)
    }

    init(phaseOf row: ResultRow) {
        self.init([("scenario", row.scenario), ("driver", row.driver), ("phase", row.phase), ("mode", row.mode)])
    }

    init(_ row: ResultRow) {
        self = Self(phaseOf: row).with("repetition", String(row.repetition))
    }

    func with(_ name: String, _ value: String) -> Self {
        Self(Array(zip(names, values)) + [(name, value)])
    }

    /// The labels as `name="value"`, separated by commas.
    var text: String {
        zip(names, values).map { "\($0)=\"\(Self.escaped($1))\"" }.joined(separator: ",")
    }

    private static func escaped(_ value: String) -> String {
        var text = ""
        for scalar in value.unicodeScalars {
            switch scalar {
            case "\\", "\"": text += "\\\(scalar)"
            case "\n": text += "\\n"
            // Whoever shows the text shows its characters, and does not obey them.
            default: text += String(scalar).withoutControls.replacing("\\", with: "\\\\")
            }
        }
        return text
    }
}
