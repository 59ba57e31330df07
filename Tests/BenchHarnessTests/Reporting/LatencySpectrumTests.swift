import Foundation
import TestSupport
import Testing

@testable import BenchHarness
@testable import BenchReport

@Suite struct LatencySpectrumTests {
    private static let hgrm = """
               Value     Percentile TotalCount 1/(1-Percentile)

               1.500 0.000000000000          1           1.00
               2.250 0.500000000000         50           2.00
               9.000 0.900000000000         90          10.00
              80.000 1.000000000000        100
        #[Mean    =        3.000, StdDeviation   =        8.000]
        #[Max     =       80.000, Total count    =          100]
        """

    private func row() -> ResultRow {
        ReportFixture.row("mine", phase: "merge") {
            $0.operations = 100
            ($0.latencyMin, $0.latencyP50, $0.latencyP90, $0.latencyP99) = (1_000, 2_000, 3_000, 4_000)
            ($0.latencyP999, $0.latencyMax) = (9_000, 9_000)
        }
    }

    private func spectrum(_ row: ResultRow, in folder: String = "/nowhere") -> LatencySpectrum? {
        let run = ReportFixture.run([row], in: folder)
        let phase = RunFigures.all([run])[0].phases[0]
        return LatencySpectrum.read(run, phase, phase.drivers[0]).spectrum
    }

    @Test func theLargestOfAllStandsWhereHazenPutsIt() throws {
        let spectrum = try LatencySpectrum(PercentileSpectrum(Data(Self.hgrm.utf8), file: "x.hgrm"))
        let points = try #require(spectrum).points
        #expect(points.map(\.nanoseconds) == [1.5e6, 2.25e6, 9e6, 80e6])
        #expect(points.map { $0.tail.rounded() } == [1, 2, 10, 200])
    }

    @Test(arguments: ["", "1.0 0.5 1\n", "-1 0 1\n", "nonsense"])
    func aFileThatCannotBeReadIsARemarkOnThePage(text: String) throws {
        let folder = try TemporaryDirectory()
        try folder.write(text, to: "run-mine-merge.hgrm")
        #expect(try #require(self.spectrum(row(), in: folder.path)).source == .columns)
        let html = Report(runs: [ReportFixture.run([row()], in: folder.path)]).html
        #expect(html.contains("A spectrum could not be read.") && html.contains("run-mine-merge.hgrm:"))
        #expect(html.contains("The curves join these percentiles."))
    }

    @Test func aFileThatCannotBeReadIsRemarkedUponEvenWithoutAnyLatencies() throws {
        let folder = try TemporaryDirectory()
        try folder.write("nonsense", to: "run-mine-merge.hgrm")
        var row = row()
        row.operations = nil
        let html = Report(runs: [ReportFixture.run([row], in: folder.path)]).html
        #expect(html.contains("A spectrum could not be read."))
        #expect(!html.contains("The curves"))
    }

    @Test func thePageSaysWhichCurveIsFromWhere() throws {
        let folder = try TemporaryDirectory()
        try folder.write(Self.hgrm, to: "run-mine-merge.hgrm")
        var other = row()
        other.driver = "other"
        let html = Report(runs: [ReportFixture.run([row(), other], in: folder.path)]).html
        #expect(html.contains("from the histograms beside the CSV; that of other joins these percentiles."))
    }

    @Test(arguments: ["1.0 1.0 5\n", "1e303 0.5 1\n1e304 1.0 2\n"])
    func aFileWithoutACurveLeavesItToTheColumns(text: String) throws {
        let folder = try TemporaryDirectory()
        try folder.write(text, to: "run-mine-merge.hgrm")
        #expect(try #require(self.spectrum(row(), in: folder.path)).source == .columns)
    }

    @Test func theFileBesideTheResultsComesBeforeTheColumns() throws {
        let folder = try TemporaryDirectory()
        try folder.write(Self.hgrm, to: "run-mine-merge.hgrm")
        let spectrum = try #require(self.spectrum(row(), in: folder.path))
        #expect(spectrum.source == .file)
        #expect(spectrum.points.count == 4)
    }

    @Test func withoutAFileTheColumnsDoAsFarAsTheyResolve() throws {
        let spectrum = try #require(self.spectrum(row()))
        #expect(spectrum.source == .columns)
        #expect(spectrum.points.map(\.tail) == [1, 2, 10, 100, 200])
        #expect(spectrum.points.map(\.nanoseconds) == [1_000, 2_000, 3_000, 4_000, 9_000])
    }

    @Test func namesDoNotLeadToOtherFolders() throws {
        let folder = try TemporaryDirectory()
        try folder.write(Self.hgrm, to: "secret.hgrm")
        var row = row()
        (row.driver, row.operations) = ("x/../../\(folder.url.lastPathComponent)/secret", nil)
        row.phase = ""
        #expect(spectrum(row, in: folder.path) == nil)
    }

    @Test func oneOperationHasNoSpectrum() {
        var row = row()
        row.operations = 1
        #expect(spectrum(row) == nil)
    }
}
