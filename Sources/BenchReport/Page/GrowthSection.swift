import BenchHarness

/// The growth of a run's phases with the number of records, for a run at several sizes.
struct GrowthSection {
    let run: RunFigures

    private var id: String { "run-\(run.number)-growth" }

    /// The time and the memory of a record in each phase; empty for a run at one size.
    var charts: [Chart] {
        (run.growth?.phases ?? []).enumerated().flatMap { index, phase in
            GrowthFigure.allCases.compactMap { figure in
                GrowthChart(
                    id: "\(id)-\(index + 1)-\(figure)", caption: "\(phase.key.phase): \(figure.rawValue) per record",
                    figure: figure, phase: phase, styles: run.drivers
                ).chart
            }
        }
    }

    /// The section; nil for a run at one size.
    var node: HTMLNode? {
        guard let growth = run.growth else { return nil }
        return .tag(
            "section", ["id": id], .tag("h3", [:], "Growth"),
            .tag("p", ["class": "lead"], .text(Self.lead + limit(growth))), table(growth),
            LegendList(styles: run.drivers).node, charts.figures)
    }

    private static let lead = """
        Each figure is the median cost of a record at a number of records. The exponent is the b for which the total grows like \
        the b-th power of that number, fitted to all repetitions; 1 means in proportion. Memory is the peak of the phase less the \
        memory before it.
        """

    /// The limit in words; empty without one.
    func limit(_ growth: GrowthSummary) -> String {
        growth.maxExponent.map { " The scenario allows exponents of \($0) at most." } ?? ""
    }

    private func table(_ growth: GrowthSummary) -> HTMLNode {
        let names = ["phase", "driver", "per record"].map { PageTable.Column(title: $0, isFigure: false) }
        let sizes = growth.sizes.map { PageTable.Column(title: Figure.count($0)) }
        let fits = ["exponent", "95 % interval", "steepest"].map { PageTable.Column(title: $0) }
        let rows = growth.phases.flatMap { phase in
            phase.lines.flatMap { line in line.curves.map { cells(phase, line, $0, growth.sizes) } }
        }
        return PageTable(
            label: "Growth of figures", columns: names + sizes + fits + [PageTable.Column(title: "", isFigure: false)],
            rows: rows
        ).node
    }

    private func cells(
        _ phase: GrowthSummary.Phase, _ line: GrowthSummary.Line, _ curve: GrowthCurve, _ sizes: [Int]
    ) -> [HTMLNode] {
        let points = sizes.map { size in
            PageTable.figure(curve.points.first { $0.records == size }.map { curve.figure.text($0.perRecord) })
        }
        let why = phase.isProportional ? "insufficient data" : "the work does not grow with the records"
        let interval = curve.fit.map { fit in
            "\(GrowthTable.exponent(fit.interval.lowerBound)) … \(GrowthTable.exponent(fit.interval.upperBound))"
        }
        let fits = [
            PageTable.figure(
                curve.fit.map { GrowthTable.exponent($0.exponent) }, data(phase, line, curve), missing: why),
            PageTable.figure(interval, missing: why),
            PageTable.figure(
                curve.fit == nil ? nil : curve.steepest.map { GrowthTable.exponent($0.exponent) }, missing: why),
        ]
        let remark = [curve.verdict?.rawValue, curve.remark].compactMap { $0 }.joined(separator: "; ")
        return [
            PageTable.name(phase.key.phase), PageTable.otherName(line.driver), PageTable.text(curve.figure.rawValue),
        ]
            + points + fits + [PageTable.text(remark)]
    }

    private func data(
        _ phase: GrowthSummary.Phase, _ line: GrowthSummary.Line, _ curve: GrowthCurve
    ) -> HTMLAttributes {
        [
            "data-phase": phase.key.phase, "data-driver": line.driver, "data-figure": curve.figure.rawValue,
            "data-stat": "exponent", "data-value": curve.fit.map { ReportText.raw($0.exponent) },
            "data-low": curve.fit.map { ReportText.raw($0.interval.lowerBound) },
            "data-high": curve.fit.map { ReportText.raw($0.interval.upperBound) },
            "data-verdict": curve.verdict?.rawValue,
        ]
    }
}
