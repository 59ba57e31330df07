import Testing

@testable import BenchHarness
@testable import BenchReport

@Suite struct FigureTests {
    @Test(arguments: [
        (0.003, "0.003"), (0.00321, "0.0032"), (0.0999, "0.1"), (0.1, "0.10"), (0.5, "0.50"), (23.04, "23.04"),
        (2_512, "2512"), (0, "0.00"),
    ])
    func aSmallRatioHasTwoSignificantDigitsEverywhere(ratio: Double, text: String) {
        #expect(Figure.ratio(ratio) == text + "x")
        #expect(ReportText.ratio(ratio) == text + "×")
    }
}
