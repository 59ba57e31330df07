import Testing

@testable import BenchHarness

/// Reference values are `multipletests(p, method="holm")[1]` of statsmodels 0.15.0.
@Suite struct HolmTests {
    @Test(arguments: [
        ([0.01, 0.04, 0.03, 0.005, 0.9, 0.2], [0.05, 0.12, 0.12, 0.03, 0.9, 0.4]),
        ([0.4, 0.4, 0.4], [1, 1, 1]), ([0.02, 0.0249, 0.0251, 1e-9], [0.06, 0.06, 0.06, 4e-9]), ([0.03], [0.03]),
        ([], []),
    ])
    func valuesAgreeWithReferenceValues(p: [Double], expected: [Double]) {
        let adjusted = Holm.adjusted(p)
        #expect(adjusted.count == expected.count)
        for (own, other) in zip(adjusted, expected) { #expect(abs(own - other) < 1e-15) }
    }

    @Test func orderOfTheInputDoesNotMatter() {
        let p = [0.3, 0.001, 0.02, 0.02, 0.7]
        #expect(Array(Holm.adjusted(p.reversed()).reversed()) == Holm.adjusted(p))
    }
}
