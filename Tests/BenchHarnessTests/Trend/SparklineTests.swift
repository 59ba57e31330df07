import Testing

@testable import BenchHarness

@Suite struct SparklineTests {
    @Test func valuesSpanTheBlocks() {
        #expect(Sparkline([1, 2, 3, 4, 5, 6, 7, 8]).text == "▁▂▃▄▅▆▇█")
        #expect(Sparkline([-5, 5, 0]).text == "▁█▅")
    }

    @Test func missingValuesAreGaps() {
        #expect(Sparkline([1, nil, 2]).text == "▁ █")
        #expect(Sparkline([nil]).text == " ")
        #expect(Sparkline([]).text == "")
    }

    @Test func aConstantSeriesIsALineInTheMiddle() {
        #expect(Sparkline([3, 3]).text == "▄▄")
    }

    @Test func onlyTheNewestValuesAreDrawn() {
        #expect(Sparkline([9, 1, 2, 3], width: 3).text == "…▁▅█")
    }
}
