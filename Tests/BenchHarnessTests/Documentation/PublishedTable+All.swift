@testable import BenchHarness

extension PublishedTable {
    /// Every table of the README and of Results with ratios.
    static let all = [readme, million, peers, related, applications, loads, smallSaves, changes]

    private static let results = "Results/README.md"

    private static let readme = PublishedTable(
        name: "million", page: "README.md", subject: "phase",
        columns: ["managed", "sqlite", "sqlite-tuned", "grdb"].map { wall($0, titled: "`\($0)`") },
        rows: rows("million/million", sixPhases), showsIntervals: false)

    private static let million = PublishedTable(
        name: "million", page: results, subject: "phase",
        columns: [
            Column(title: "`managed`", content: .median(.duration, of: "managed")),
            wall("managed", titled: "÷ `sqlite`"),
            wall("managed", to: "sqlite-tuned", titled: "÷ `sqlite-tuned`"),
            Column(title: "peak memory", content: .median(.peakMemory, of: "managed")),
            Column(title: "of `sqlite`", content: .median(.peakMemory, of: "sqlite")),
        ],
        rows: rows("million/million", ninePhases))

    private static let peers = PublishedTable(
        name: "peers", page: results, subject: "phase",
        columns: ["managed", "grdb", "grdb-fast", "lmdb"].map { wall($0, titled: "`\($0)`") },
        rows: rows("million/million", ninePhases), showsIntervals: false)

    private static let related = PublishedTable(
        name: "related", page: results, subject: "phase", columns: managedToBoth(.duration),
        rows: rows(
            "related/relationships",
            [
                "seed", "items-alone", "items-to-list", "items-to-list-prefetched", "lists-to-items",
                "lists-to-items-prefetched", "fetch-by-list", "move-done", "move-all-chunked", "update-by-list",
            ]))

    private static let applications = PublishedTable(
        name: "applications", page: results, subject: "work", columns: managedToBoth(.duration),
        rows: [
            ("make orders with their lines", "shop", "fill"),
            ("add three lines to an order, a save each", "shop", "order-lines"),
            ("delete customers, their orders and lines", "shop", "forget-customers"),
            ("delete tags and their links", "shop", "remove-tags"),
            ("count lines, filtered by order and product", "shop", "in-stock"),
            ("sum lines, filtered by order and product", "shop", "sold"),
            ("move old messages to another mailbox", "mail", "archive"),
            ("delete the messages of two mailboxes in a batch", "mail", "empty-mailbox"),
            ("change a post, a save each", "feed", "like"),
            ("the newest 50 messages", "mail", "newest"),
            ("all media of three kinds, sorted", "library", "all"),
        ].map { Row(title: "\($0) (`\($1)`, `\($2)`)", phase: $2, result: "apps/\($1)") })

    private static let loads = PublishedTable(
        name: "load", page: results, subject: "load",
        columns: [
            Column(title: "`managed`", content: .median(.throughput, of: "managed")),
            Column(title: "`sqlite`", content: .median(.throughput, of: "sqlite")),
            Column(title: "ratio of rates", content: .ratio(.throughput, of: "managed", to: "sqlite")),
            Column(title: "p99 `managed`", content: .median(.latencyP99, of: "managed")),
            Column(title: "p99 `sqlite`", content: .median(.latencyP99, of: "sqlite")),
        ],
        rows: [
            Row(title: "saves, synced", phase: "saves", result: "load/durable"),
            Row(title: "saves", phase: "saves", result: "load/load"),
            Row(title: "contended", phase: "contended", result: "load/load"),
            Row(title: "watched", phase: "watched", result: "load/load"),
        ])

    private static let smallSaves = PublishedTable(
        name: "small-saves", page: results, subject: "phase",
        columns: [
            wall("managed", titled: "synced, checkpointed", "costs/durable"),
            wall("managed", titled: "neither", "costs/undurable"),
        ],
        rows: rows("costs/durable", ["seed", "update", "merge"]))

    private static let changes = PublishedTable(
        name: "changes", page: results, subject: "change",
        columns: [
            wall("managed", titled: "`managed` ÷ `sqlite`"), wall("sqlite-tuned", titled: "`sqlite-tuned` ÷ `sqlite`"),
        ],
        rows: [
            ("the same text, one by one", "constant"), ("the same text, in chunks", "constant-chunked"),
            ("a text of its own, one by one", "distinct"), ("a text of its own, in chunks", "distinct-chunked"),
            ("a bool, neighbours, one by one", "neighbours"), ("a bool, scattered, one by one", "scattered"),
            ("a bool, scattered, in chunks", "scattered-chunked"),
            ("a bool, scattered, in a batch", "scattered-batch"),
        ].map { Row(title: "\($0) (`\($1)`)", phase: $1, result: "costs/scattered") })

    private static let sixPhases = [
        "seed", "fetch-sync", "fetch-async", "update-per-object", "update-chunked", "merge",
    ]
    private static let ninePhases = [
        "seed", "fetch-sync", "fetch-async", "fetch-cancelled", "update-per-object", "update-chunked", "update-batch",
        "checkpoint", "merge",
    ]

    private static func wall(
        _ driver: String, to base: String = "sqlite", titled title: String, _ result: String? = nil
    ) -> Column {
        Column(title: title, content: .ratio(.duration, of: driver, to: base), result: result)
    }

    private static func managedToBoth(_ figure: FigureColumn) -> [Column] {
        ["sqlite", "sqlite-tuned"].map {
            Column(title: "`managed` ÷ `\($0)`", content: .ratio(figure, of: "managed", to: $0))
        }
    }

    private static func rows(_ result: String, _ phases: [String]) -> [Row] {
        phases.map { Row(title: $0, phase: $0, result: result) }
    }
}
