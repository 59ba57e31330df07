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

    /// What is below alpha does not look as if it were not.
    @Test(arguments: [
        (0.0476, 0.05, "0.048"), (0.04999, 0.05, "0.04999"), (0.05, 0.05, "0.05"), (0.0512, 0.05, "0.05"),
        (0.03, 0.05, "0.03"),
        (0.00001, 0.05, "< 0.0001"), (0.00198, 0.002, "0.00198"), (0.0500000000001, 0.05, "0.05"),
    ])
    func aProbabilityShowsOnWhichSideOfALimitItLies(p: Double, limit: Double, text: String) {
        #expect(Figure.probability(p, against: limit) == text)
    }
}
