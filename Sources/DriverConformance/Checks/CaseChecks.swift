import BenchHarness

/// Searches that ignore case.
enum CaseChecks {
    static let all = [
        check("of ASCII letters", .everything, of: "text", texts: asciiTexts),
        check(
            "of ASCII letters, with a relationship", .boxedSample, of: "box.name",
            texts: ["LIST 1", "ist", "", "list 11"]),
        check("of any letters", written, of: "word", texts: words.map { $0.uppercased() } + ["sS", "ΊΣ", "", "i̇"]),
    ]

    /// A record's words in capitals, and parts of them. The attribute is null in some records.
    private static let asciiTexts: [String] = {
        let records = RecordGenerator.conformance(.everything)
        let text =
            (0..<40).lazy.filter { !records.isNull(8, $0) }.map { records.string(8, $0).uppercased() }.first ?? ""
        return [text, String(text.prefix(3)), String(text.suffix(2)), "A", "%", ""]
    }()

    private static let words = [
        "Straße", "STRASSE", "strasse", "Ärger", "ärger", "arger", "Σίσυφος", "ΣΊΣΥΦΟΣ", "İzmir", "izmir", "Kelvin",
        "\u{212A}elvin", "",
    ]

    private static let written = EntitySpec(
        name: "Note",
        attributes: [
            AttributeSpec(name: "number", type: .int64, generator: .sequence(prefix: "", start: 0, step: 1)),
            AttributeSpec(
                name: "word", type: .string,
                generator: .choice(values: words.map { .string($0) } + [.null], weights: nil)),
        ])

    private static func check(
        _ variant: String, _ entity: EntitySpec, of key: String, texts: [String]
    ) -> ConformanceCheck {
        let filters = texts.flatMap { text in
            FilterSpec.caseless.map { FilterSpec.ignoringCase(key: key, $0, text) }
        }
        let works = (filters + filters.map { .not($0) }).map { FetchWork(mode: .sync, filter: $0) }
        return ConformanceCheck(
            "fetching", "ignores case", variant, entity: entity, needs: works.map(Phase.Work.fetch)
        ) { store in
            let session = try store.seeded(300)
            for work in works {
                guard
                    let filter = work.filter.map({
                        RecordFilter($0, entity: entity, targets: store.targets)
                    })
                else { continue }
                let matching = (0..<300).filter { ordinal in filter.matches { store.records.value($0, ordinal) } }
                try session.expectFetched(work, store.expected(matching), isOrdered: false)
                session.finish()
            }
        }
    }
}
