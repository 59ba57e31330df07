import Testing

@testable import BenchHarness
@testable import BenchReport

@Suite struct ScaleTests {
    @Test(arguments: [(1.9e9, 0.5e9, 4), (100.0, 20.0, 6), (7.0, 2.0, 4), (0.9, 0.2, 5), (5.0, 1.0, 6)])
    func linearTicksAreRoundAndAtMostSix(max: Double, step: Double, count: Int) {
        let scale = LinearScale(max: max, from: 0, to: 100)
        #expect(abs(scale.step - step) < 1e-9 * step)
        #expect(scale.ticks.count == count)
        #expect(scale.ticks.allSatisfy { $0 <= max * 1.000_001 })
    }

    @Test func linearPlacesAreInProportionAndWithinTheScale() {
        let scale = LinearScale(max: 200, from: 10, to: 110)
        #expect([0, 50, 200, 300, -5].map(scale.position) == [10, 35, 110, 110, 10])
        #expect(LinearScale(max: 0, from: 10, to: 110).position(0) == 10)
    }

    @Test func equalRatiosAreEqualDistances() {
        let scale = LogScale(1...10_000, from: 0, to: 400)
        #expect([1, 10, 100, 10_000].map { scale.position($0).rounded() } == [0, 100, 200, 400])
        #expect([0, -1, 1e9].map(scale.position) == [0, 0, 400])
    }

    @Test func logarithmicTicksAreFineOnlyWhereThereIsRoom() {
        #expect(LogScale(0.4...3, from: 0, to: 1).ticks == [0.5, 1, 2])
        #expect(LogScale(1...1e6, from: 0, to: 1).ticks.count == 7)
        #expect(LogScale(1...1e15, from: 0, to: 1).ticks.count <= 8)
    }

    @Test(arguments: [
        (0.0, 5e8, 1.9e9, "0"), (1e9, 5e8, 1.9e9, "1.0 s"), (2e7, 1e7, 6e7, "20 ms"), (250.0, 50, 999, "250 ns"),
        (2_500_000, 500_000, 9e6, "2.5 ms"),
    ])
    func ticksHaveAUnitAndTheDecimalsOfTheStep(value: Double, step: Double, max: Double, text: String) {
        #expect(AxisUnit.duration(max: max).text(value, step: step) == text)
    }

    @Test func logarithmicTicksHaveUnitsOfTheirOwn() {
        #expect([500, 1e3, 1e6, 2e7, 1e9].map(LogScale.duration) == ["500 ns", "1 µs", "1 ms", "20 ms", "1 s"])
    }
}
