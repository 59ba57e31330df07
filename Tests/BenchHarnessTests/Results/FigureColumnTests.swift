import Foundation
import Testing

@testable import BenchHarness

@Suite struct FigureColumnTests {
    @Test func everyFigureIsDescribed() {
        for figure in FigureColumn.all {
            #expect(!figure.label.isEmpty && figure.help.hasSuffix("."), "\(figure.column)")
            #expect(ResultColumn.all.contains { $0.name == figure.column })
        }
        #expect(Set(FigureColumn.all.map(\.column)).count == FigureColumn.all.count)
    }

    /// What is exact is compared to the last one, and nothing else is.
    @Test func exactFiguresHaveNoThreshold() {
        for figure in FigureColumn.all {
            #expect((figure.kind == .exact) == (figure.comparison?.threshold == 0), "\(figure.column)")
        }
    }

    /// What a row has that is a number is a figure.
    @Test func everyNumberOfARowIsAFigure() {
        for column in ResultColumn.all where column.figure == nil {
            #expect(!column.expectation.contains("number") || column.name == "repetition", "\(column.name)")
        }
    }
}
