import Foundation
import Testing

/// The report in a real browser.
@Suite(
    .ownThreads, .serialized, .enabled(if: Browser.path != nil, "There is no Chromium here; apt-get install chromium."))
struct ReportBrowserTests {
    private static let metrics = [
        "duration_ns", "rss_peak_bytes", "queue_stall_ns", "latency_p50_ns", "latency_p99_ns", "cancel_ns",
    ]

    /// Reports of the example, of results whose names and errors are as bad as can be, of both, and of each held
    /// against another like it.
    private func withPages(_ body: (_ folder: URL, _ pages: [String]) throws -> Void) throws {
        let bench = try BenchBinary()
        try Data(Self.hostile.utf8).write(to: bench.folder.appendingPathComponent("hostile.csv"))
        try bench.copyMillion(to: "slower", percent: 150)
        let results = [
            "report.html": [BenchBinary.million], "hostile.html": ["hostile.csv"],
            "both.html": ["hostile.csv", BenchBinary.million], "compared.html": [BenchBinary.million, "slower.csv"],
            "hostile-compared.html": ["hostile.csv", "hostile.csv"],
        ]
        let names = results.keys.sorted()
        for name in names {
            let outcome = try bench.run(["report"] + (results[name] ?? []) + ["-o", name])
            try #require(outcome.code == 0, "\(outcome.errors)")
        }
        let pages = try names.map { try String(contentsOf: bench.folder.appendingPathComponent($0), encoding: .utf8) }
        try body(bench.folder, pages)
    }

    private static var hostile: String {
        let name = "\"<script>console.log('run')</script><img src=https://example.invalid/x>"
        let (driver, phase) = (name + "\"", name + String(repeating: "long", count: 60) + "\"")
        let rows = [
            "s,sqlite,\(phase),fetch,sync,1,ok,true,,1000000,900000,1000000",
            "s,\(driver),\(phase),fetch,sync,1,ok,true,,123000000,124000000,1000000",
            "s,sqlite,broken,fetch,sync,1,failed,false,\(phase),,,",
        ]
        let header =
            "scenario,driver,phase,kind,mode,repetition,status,verified,error,duration_ns,queue_stall_ns,rss_peak_bytes"
        return ([header] + rows).joined(separator: "\n") + "\n"
    }

    @Test func theNumbersOnThePageAreThoseOfTheResults() throws {
        try withPages { folder, _ in
            let page = folder.appendingPathComponent("report.html")
            let outcome = try Browser.open(page, ["--dump-dom", "--window-size=1280,900"], in: folder)
            #expect(outcome.console.isEmpty, "\(outcome.console)")
            let expected = try ExpectedFigures(csv: URL(fileURLWithPath: BenchBinary.million), metrics: Self.metrics)
            let cells = try PageTags.all("td", in: outcome.document)
            #expect(try shown("median", cells + PageTags.all("rect", in: outcome.document)) == expected.medians)
            try checkRatios(shown("ratio", cells), expected)
        }
    }

    /// What the page shows, in however many places; all of them must agree.
    private func shown(_ statistic: String, _ tags: [[String: String]]) throws -> [ExpectedFigures.Key: Double] {
        var shown: [ExpectedFigures.Key: Double] = [:]
        for tag in tags where tag["data-stat"] == statistic {
            guard let metric = tag["data-metric"], Self.metrics.contains(metric) else { continue }
            guard let value = tag["data-value"].flatMap(Double.init) else { continue }
            let key = ExpectedFigures.Key(
                phase: try #require(tag["data-phase"]), driver: try #require(tag["data-driver"]), metric: metric)
            #expect(shown[key] ?? value == value, "\(key)")
            shown[key] = value
        }
        return shown
    }

    private func checkRatios(_ ratios: [ExpectedFigures.Key: Double], _ expected: ExpectedFigures) throws {
        let keys = expected.medians.keys
        #expect(ratios.count == Set(keys.map(\.phase)).count * (Set(keys.map(\.driver)).count - 1))
        for (key, ratio) in ratios {
            var base = key
            base.driver = "sqlite"
            let wanted = try #require(expected.medians[key]) / #require(expected.medians[base])
            #expect(abs(ratio - wanted) < 1e-9 * wanted, "\(key)")
        }
    }

    @Test(arguments: ["light", "dark"])
    func thePageFitsPhonesAndDesktopsAndLoadsNothing(scheme: String) throws {
        try withPages { folder, pages in
            let frame = folder.appendingPathComponent("frame.html")
            try Data(FramedPage.html(around: pages, widths: [360, 768, 1280]).utf8).write(to: frame)
            let preference = "--blink-settings=preferredColorScheme=\(scheme == "dark" ? 0 : 1)"
            let outcome = try Browser.open(
                frame, ["--dump-dom", "--window-size=1400,1000", preference], in: folder)
            #expect(outcome.console.isEmpty, "\(outcome.console)")
            let results = FramedPage.results(in: outcome.document)
            #expect(results.compactMap { $0["data-width"] } == pages.flatMap { _ in ["360", "768", "1280"] })
            for result in results {
                #expect(result["data-scroll"] == result["data-width"])
                #expect(result["data-loaded"] == "0")
                #expect(result["data-overlaps"] == "0")
                #expect(result["data-crossed"] == "0")
                if result["data-width"] == "360" { #expect(result["data-cut"] == "0") }
                #expect(result["data-ground"] == (scheme == "dark" ? "rgb(20, 24, 29)" : "rgb(255, 255, 255)"))
                #expect(result["data-regions"].flatMap(Int.init) ?? 0 > 2)
            }
        }
    }

    @Test func thePageIsPainted() throws {
        try withPages { folder, _ in
            let image = folder.appendingPathComponent("page.png")
            let url = folder.appendingPathComponent("report.html")
            _ = try Browser.open(url, ["--screenshot=\(image.path)", "--window-size=1280,4000"], in: folder)
            let png = try Data(contentsOf: image)
            #expect(png.prefix(4) == Data([0x89, 0x50, 0x4E, 0x47]))
            // An empty page of this size is a tenth of that.
            #expect(png.count > 100_000)
        }
    }
}
