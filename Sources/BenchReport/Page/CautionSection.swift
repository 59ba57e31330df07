import BenchHarness

/// The cautions for a reader of the figures: rows that do not count, and repetitions that other processes disturbed.
struct CautionSection {
    let run: RunFigures

    /// One sentence for each problem of the run as a whole.
    var sentences: [String] {
        doubts.filter(\.holds).map(\.text) + IdleFilters(run.run.rows).sentences.map(\.asSentence)
    }

    /// The sentences, for a page.
    var warnings: HTMLNode {
        let texts = sentences
        guard !texts.isEmpty else { return .group([]) }
        return .tag("ul", ["class": "warning", "aria-label": "Warnings"], texts.map { .tag("li", [:], .text($0)) })
    }

    private var doubts: [(holds: Bool, text: String)] {
        let manifest = run.run.manifest
        let status = manifest?.status ?? "ok"
        let count = run.run.rows.count
        let settings = UnknownSettings(run.run.rows).sentence
        return [
            (status != "ok", "The run’s status is “\(status)”."),
            (
                manifest?.buildConfiguration == "debug",
                "This was a debug build, whose times say nothing about a release build."
            ),
            (manifest?.git?.isDirty == true, "The build had uncommitted changes."),
            (["tmpfs", "ramfs"].contains(manifest?.fileSystem), "The stores were in memory, not on storage."),
            (settings != nil, settings?.asSentence ?? ""),
            (!run.leftOut.isEmpty, "\(run.leftOut.count) of \(count) rows are left out."),
            (
                !run.contaminated.isEmpty,
                "\(run.contaminated.count) of \(count) rows were measured while other processes used the CPU, or on a slower machine."
            ),
        ]
    }

    /// The rows behind the sentences; nil if there are none.
    var node: HTMLNode? {
        guard !run.leftOut.isEmpty || !run.contaminated.isEmpty else { return nil }
        return .tag(
            "section", ["id": "run-\(run.number)-cautions"], .tag("h3", [:], "Left out and contaminated"),
            run.leftOut.isEmpty ? .group([]) : leftOut, run.contaminated.isEmpty ? .group([]) : contaminated)
    }

    private static let place = ["phase", "driver", "repetition"].map {
        PageTable.Column(title: $0, isFigure: $0 == "repetition")
    }

    private static func place(_ row: ResultRow) -> [HTMLNode] {
        [PageTable.name(row.phase), PageTable.otherName(row.driver), PageTable.figure(String(row.repetition))]
    }

    /// The default reason for rows of each status, for rows without their own.
    private static let reasons: [ResultRow.Status: String] = [
        .ok: "it was not verified", .unsupported: "the driver cannot do this", .interrupted: "the run was stopped",
    ]

    private var leftOut: HTMLNode {
        let columns = Self.place + ["status", "reason"].map { PageTable.Column(title: $0, isFigure: false) }
        let rows = run.leftOut.map { row in
            let reason = !row.error.isEmpty ? row.error : row.verified == false ? "the result is wrong" : nil
            return Self.place(row) + [
                PageTable.text(row.status.rawValue),
                .tag(
                    "td", ["class": "reason", "data-left-out": row.phase],
                    .text(reason ?? Self.reasons[row.status] ?? ReportText.missing)),
            ]
        }
        return .group([
            .tag(
                "p", ["class": "lead"],
                "These repetitions failed or were not verified; their figures do not count."),
            PageTable(label: "Rows that are left out", columns: columns, rows: rows).node,
        ])
    }

    private var contaminated: HTMLNode {
        let rows = run.contaminated.map { row in
            Self.place(row)
                + [row.otherCPU, row.calibration].map { PageTable.figure($0.map { Figure.duration(Double($0)) }) }
        }
        return .group([
            .tag(
                "p", ["class": "lead"],
                """
                Other processes used much of the CPU during these repetitions, or the machine had slowed down. They count; the
                charts of their phases show them hollow.
                """),
            PageTable(
                label: "Contaminated repetitions",
                columns: Self.place
                    + ["CPU time of other processes", "calibration"].map { PageTable.Column(title: $0) },
                rows: rows
            ).node,
        ])
    }
}
