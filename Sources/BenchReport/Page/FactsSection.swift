import BenchHarness
import Foundation

/// The facts of a run: machine, build and settings.
struct FactsSection {
    let run: RunFigures

    private var manifest: Manifest? { run.run.manifest }

    var node: HTMLNode {
        guard let manifest else {
            return .tag(
                "p", ["class": "warning"],
                .text("There is no manifest beside \(run.run.name): the machine and the build are unknown."))
        }
        let build = Self.list([
            ("Commit", Self.commit(manifest)), ("Build", Self.build(manifest)),
            ("SQLite", Self.sqlite(manifest)), ("Settings", manifest.store.map(Self.settings)),
            ("Seed", manifest.scenario.map { _ in String(manifest.seed) }), ("Date", Self.date(manifest)),
            manifest.turns == nil ? ("Repetitions", manifest.scenario.flatMap(repetitions)) : ("Launches", launches),
        ])
        return .group([
            .tag("div", ["class": "facts"], Self.list(Self.machine(manifest)), build), details(manifest),
        ])
    }

    private static func machine(_ manifest: Manifest) -> [(String, String?)] {
        let host = manifest.host
        let memory = String(format: "%.1f GB", Double(host.memoryBytes) / 1e9)
        return [
            ("Machine", host.cpuModel), ("Cores", host.coresText), ("Memory", memory),
            ("System", host.operatingSystem), ("Kernel", host.kernel), ("File system", manifest.fileSystem),
        ]
    }

    private static func commit(_ manifest: Manifest) -> String? {
        manifest.git.map { String($0.commit.prefix(12)) + ($0.isDirty ? ", with uncommitted changes" : "") }
    }

    private static func build(_ manifest: Manifest) -> String? {
        guard let configuration = manifest.buildConfiguration else { return nil }
        return configuration + (manifest.swift.map { ", Swift \($0)" } ?? "")
    }

    private static func sqlite(_ manifest: Manifest) -> String? {
        let versions = manifest.drivers.compactMap { $0.properties["sqlite_version"] }.withoutRepeats
        return versions.isEmpty ? nil : versions.joined(separator: ", ")
    }

    private static func settings(_ store: StoreOptions) -> String {
        """
        synchronous=\(store.synchronous.rawValue), cache \(Figure.count(store.cacheSizeKiB)) KiB, \
        pages of \(Figure.count(store.pageSizeBytes)) B, mmap \(Figure.count(store.mmapSizeBytes)) B, \
        autocheckpoint \(Figure.count(store.walAutocheckpointPages)) pages
        """
    }

    private static func date(_ manifest: Manifest) -> String {
        let start = manifest.started.formatted(.iso8601)
        let length = manifest.ended.map { Figure.clock(Int(min($0.timeIntervalSince(manifest.started), 1e9) * 1e9)) }
        return start + (length.map { ", for \($0) minutes" } ?? "")
    }

    private var launches: String {
        "\(run.run.rows.map(\.repetition).max() ?? 0), of two processes each that took turns; times are medians of turns"
    }

    private func repetitions(_ scenario: Scenario) -> String {
        let isSearch = !run.run.searches.isEmpty
        return
            (isSearch
            ? "trials of each driver, until its highest rate was found" : "\(scenario.repetitions) of each driver")
            + (scenario.isolation == .process ? ", in processes of their own" : ", all in one process")
    }

    private static func list(_ facts: [(String, String?)]) -> HTMLNode {
        .tag(
            "dl", [:],
            facts.map { name, value in
                .tag(
                    "div", [:], .tag("dt", [:], .text(name)), .tag("dd", [:], .text(value ?? ReportText.missing)))
            })
    }

    private func details(_ manifest: Manifest) -> HTMLNode {
        let facts: [(String, String)] =
            [
                ("command line", manifest.commandLine.joined(separator: " ")), ("commit", manifest.git?.commit ?? ""),
                ("load before", manifest.loadBefore.loadAverages ?? ""),
                ("load after", manifest.loadAfter?.loadAverages ?? ""),
            ]
            + manifest.drivers.map { driver in
                let properties = driver.properties.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }
                return (driver.name, properties.joined(separator: ", "))
            }
        return .tag(
            "details", [:], .tag("summary", [:], "Command line, load and drivers"),
            PageTable(
                label: "Command line, load and drivers",
                columns: [.init(title: "what", isFigure: false), .init(title: "how", isFigure: false)],
                rows: facts.filter { !$0.1.isEmpty }.map { name, value in
                    [PageTable.name(name), .tag("td", [:], .tag("code", [:], .text(value)))]
                }
            ).node)
    }
}
