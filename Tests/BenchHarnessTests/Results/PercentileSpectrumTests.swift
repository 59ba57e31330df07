import Foundation
import TestSupport
import Testing

@testable import BenchHarness

@Suite struct PercentileSpectrumTests {
    private func spectrum(_ text: String) throws -> PercentileSpectrum {
        try PercentileSpectrum(Data(text.utf8), file: "a.hgrm")
    }

    @Test func whatIsWrittenIsRead() throws {
        var histogram = LatencyHistogram()
        for value in 1...1_000 { histogram.record(value * 1_000_000) }
        let folder = try TemporaryDirectory()
        let url = try folder.write(PercentileText(histogram).text, to: "a.hgrm")
        let spectrum = try PercentileSpectrum(contentsOf: url)
        #expect(spectrum.count == 1_000)
        #expect(spectrum.points.last?.percentile == 100)
        let median = try #require(spectrum.points.first { $0.percentile == 50 })
        #expect(median.count == 500 && abs(median.milliseconds - 500) < 1)
    }

    /// wrk2's, which writes "inf" behind the last line and other widths.
    @Test func filesOfOtherProgramsAreRead() throws {
        let text = """
              Value   Percentile   TotalCount 1/(1-Percentile)

                0.001     0.000000            1         1.00
              123.470     1.000000           32          inf
            #[Mean    =        4.028, StdDeviation   =       21.464]
            """
        #expect(try spectrum(text.replacingOccurrences(of: "\n", with: "\r\n")).points.map(\.count) == [1, 32])
    }

    @Test(arguments: [
        ("", "a.hgrm: no line for all values"), ("0.1 0.5 3 2.0\n", "a.hgrm: no line for all values"),
        ("\n0.1 0.5\n", "a.hgrm:2: \"0.1 0.5\"; expected a value"), ("0.1 1.5 3\n", "a.hgrm:1:"),
        ("nan 1.0 3\n", "a.hgrm:1:"), ("-1 1.0 3\n", "a.hgrm:1:"), ("1 1.0 0\n", "a.hgrm:1:"),
        ("2 0.5 3 2\n1 1.0 3\n", "a.hgrm:2:"), ("2 0.5 3 2\n2 1.0 2\n", "a.hgrm:2:"), ("\u{1B}[2J\n", "\\u{1b}[2J"),
    ])
    func otherFilesAreRefused(text: String, message: String) {
        let error = #expect(throws: RunError.self) { try spectrum(text) }
        #expect(error?.description.contains(message) == true, "\(error?.description ?? "")")
    }

    @Test func filesStandBesideTheCSV() {
        let csv = URL(fileURLWithPath: "/results/million.csv")
        let url = PercentileSpectrum.url(beside: csv, driver: "sqlite", phase: "merge")
        #expect(url.path == "/results/million-sqlite-merge.hgrm")
    }
}
