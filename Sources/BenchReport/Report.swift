import BenchHarness
import Foundation

/// Results as one self-contained HTML page: no network, no scripts, no fonts.
///
/// ```swift
/// let report = Report(runs: [try RecordedRun(contentsOf: csv)])
/// try report.write(to: page)
/// ```
///
/// Every figure on the page carries the raw value in `data-` attributes, for programs.
public struct Report: Sendable {
    let runs: [RunFigures]
    /// The comparison of the runs; nil to show none.
    let outcome: Result<Comparison, RunError>?

    /// Creates a report of runs.
    ///
    /// - Parameters:
    ///   - runs: The runs, at least one.
    ///   - comparison: The comparison of the runs, or why they are not comparable; nil to show neither.
    public init(runs: [RecordedRun], comparison: Result<Comparison, RunError>? = nil) {
        self.runs = RunFigures.all(runs)
        outcome = comparison
    }

    /// The drivers of all runs.
    var drivers: [DriverStyle] { runs.flatMap(\.drivers).withoutRepeats }

    private var comparison: HTMLNode? {
        switch outcome {
        case .success(let comparison)?:
            ComparisonSection(figures: ComparisonFigures(comparison, drivers: drivers)).node
        case .failure(let error)?: NoComparisonSection(error: error).node
        case nil: nil
        }
    }

    /// The page as HTML.
    public var html: String {
        HTMLNode.tag("html", ["lang": "en"], head, .tag("body", [:], skipLink, header, main, footer)).document
    }

    /// Writes the page to a file atomically.
    public func write(to url: URL) throws(RunError) {
        try AtomicFile.write(Data(html.utf8), to: url.path)
    }

    private var title: String {
        runs.map(\.title).withoutRepeats.joined(separator: ", ") + " — benchmark report"
    }

    private var head: HTMLNode {
        .tag(
            "head", [:], .tag("meta", ["charset": "utf-8"]),
            .tag("meta", ["name": "viewport", "content": "width=device-width, initial-scale=1"]),
            .tag(
                "meta",
                [
                    "http-equiv": "Content-Security-Policy",
                    "content": "default-src 'none'; style-src 'unsafe-inline'; img-src data:",
                ]), .tag("link", ["rel": "icon", "href": "data:,"]), .tag("title", [:], .text(title)),
            .stylesheet(ReportStyle.css(drivers)))
    }

    private var skipLink: HTMLNode {
        .tag("a", ["class": "skip", "href": "#main"], "Skip to the results")
    }

    private var header: HTMLNode {
        .tag(
            "header", [:],
            .tag(
                "div", ["class": "bar-top"], .tag("p", ["class": "kicker"], "Benchmark report"), SchemeChoice.node),
            .tag("h1", [:], .text(runs.map(\.title).withoutRepeats.joined(separator: ", "))), contents)
    }

    private var contents: HTMLNode {
        let comparison = outcome == nil ? [] : [("Comparison", "comparison")]
        let ofRuns = runs.flatMap { run -> [(String, String)] in
            if runs.count > 1 { return [(run.run.name, "run-\(run.number)")] }
            return RunArticle(run: run, isOnly: true).sections.map { ($0.title, $0.id) }
        }
        return .tag(
            "nav", ["aria-label": "Contents"],
            .tag(
                "ul", [:],
                (comparison + ofRuns).map { title, id in
                    .tag("li", [:], .tag("a", ["href": "#\(id)"], .text(title)))
                }))
    }

    private var main: HTMLNode {
        let comparison = comparison.map { node in
            HTMLNode.tag("section", ["id": "comparison"], .tag("h2", [:], "Comparison"), node)
        }
        let articles = runs.map { RunArticle(run: $0, isOnly: runs.count == 1).node }
        return .tag("main", ["id": "main", "tabindex": "-1"], [comparison].compactMap { $0 } + articles)
    }

    private var footer: HTMLNode {
        .tag(
            "footer", [:],
            .tag("p", [:], .text("Written by bench report from \(runs.map(\.run.name).joined(separator: ", ")).")))
    }
}
