import Foundation
import Testing

@testable import BenchHarness

@Suite struct QuadTests {
    private func turn(_ cpu: Int) -> Turn { Turn(cpu: cpu, duration: cpu * 2, release: 0, operations: 1) }

    /// The second turn costs half as much again; the mean of both orders takes that out.
    @Test func whatTheOrderCostsFallsOnBothSides() throws {
        let quad = Quad(
            first: .base, base: [turn(1_000), turn(1_500)], new: [turn(1_500), turn(1_000)])
        #expect(abs(try #require(quad.logRatio { Double($0.cpu) })) < 1e-12)
        let slower = Quad(
            first: .base, base: [turn(1_000), turn(1_500)], new: [turn(1_650), turn(1_100)])
        #expect(abs(exp(try #require(slower.logRatio { Double($0.cpu) })) - 1.1) < 1e-12)
    }

    @Test func aFigureOfNothingHasNoRatio() {
        let quad = Quad(first: .new, base: [turn(0), turn(1)], new: [turn(1), turn(1)])
        #expect(quad.logRatio { Double($0.cpu) } == nil)
    }
}
