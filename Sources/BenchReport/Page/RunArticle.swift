import BenchHarness

/// The part of the page about one run.
struct RunArticle {
    /// A part of the article, as listed in the contents.
    struct Part {
        let title: String
        let id: String
        let node: HTMLNode
    }

    let run: RunFigures
    /// Whether the page has only this run, so that headings need not name it.
    let isOnly: Bool

    private var prefix: String { "run-\(run.number)" }

    var node: HTMLNode {
        .tag(
            "article", ["id": prefix, "data-run": String(run.number)],
            .tag("h2", [:], .text(isOnly ? "What ran where" : "\(run.number). \(run.run.name)")), summary,
            CautionSection(run: run).warnings, FactsSection(run: run).node, .group(sections.map(\.node)))
    }

    private var summary: HTMLNode {
        let file = isOnly ? "Results: \(run.run.name)." : ""
        let text = [run.run.manifest?.scenario?.summary ?? "", file].filter { !$0.isEmpty }.joined(separator: " ")
        return text.isEmpty ? .group([]) : .tag("p", ["class": "lead"], .text(text))
    }

    /// The parts with figures of the run.
    var sections: [Part] {
        guard !run.phases.isEmpty else {
            let node = HTMLNode.tag("p", ["class": "warning", "id": "\(prefix)-empty"], "The file has no rows.")
            return [Part(title: "No rows", id: "\(prefix)-empty", node: node)]
        }
        let phases = HTMLNode.tag(
            "section", ["id": "\(prefix)-phases"], .tag("h3", [:], "Phases"),
            .tag("p", ["class": "lead"], .text(lead)),
            .group(run.phases.map { PhaseSection(run: run, phase: $0).node }))
        let parts: [(String, String, HTMLNode?)] = [
            ("At a glance", "glance", GlanceSection(run: run).node), ("Growth", "growth", GrowthSection(run: run).node),
            ("Sweep", "sweep", SweepSection(run: run).node), ("Fetching", "queue", QueueSection(run: run).node),
            ("Phases", "phases", phases), ("Loads", "loads", LoadSection(run: run).node),
            ("Rates", "rates", RateSection(run: run).node), ("Latencies", "latency", SpectrumSection(run: run).node),
            ("Left out and contaminated", "cautions", CautionSection(run: run).node),
        ]
        return parts.compactMap { title, id, node in node.map { Part(title: title, id: "\(prefix)-\(id)", node: $0) } }
    }

    private var unit: String { run.run.manifest?.turns == nil ? "repetition" : "launch, the median of its turns" }

    private var lead: String {
        """
        Bars are medians, each mark is a \(unit). Ratios are of medians. The stall is the longest time for which the \
        context’s queue answered nothing.
        """
    }
}

/// The reader's choice between light and dark. It works without a script: the style sheet tests which option is
/// checked.
enum SchemeChoice {
    static var node: HTMLNode {
        let choices = ["auto", "light", "dark"].map { scheme in
            HTMLNode.tag(
                "label", [:],
                .tag(
                    "input",
                    [
                        "type": "radio", "name": "scheme", "id": "scheme-\(scheme)",
                        "checked": scheme == "auto" ? "" : nil,
                    ]), .tag("span", [:], .text(scheme)))
        }
        return .tag("fieldset", ["class": "scheme"], [.tag("legend", [:], "Colours")] + choices)
    }
}
