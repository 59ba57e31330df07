import Foundation
import Testing

@testable import BenchHarness

@Suite struct QuadTests {
    private func turn(_ cpu: Int) -> Turn { Turn(cpu: cpu, duration: cpu * 2, release: 0, operations: 1) }

    private func launch(_ quads: [Quad]) -> Launch {
        Launch(number: 1, core: 0, quads: quads, surroundings: Surroundings())
    }

    private func ratio(_ quads: [Quad]) throws -> Double {
        exp(try #require(launch(quads).logRatio(ofPhase: 0, .cpu)))
    }

    /// The second turn costs half as much again; both orders together take that out.
    @Test func whatTheOrderCostsFallsOnBothSides() throws {
        let quad = Quad(
            first: .base, base: [turn(1_000), turn(1_500)], new: [turn(1_500), turn(1_000)])
        #expect(abs(try ratio([quad]) - 1) < 1e-12)
        let slower = Quad(
            first: .base, base: [turn(1_000), turn(1_500)], new: [turn(1_650), turn(1_100)])
        #expect(abs(try ratio([slower]) - 1.1) < 1e-12)
        #expect(abs(try ratio([slower, slower, slower]) - 1.1) < 1e-12)
    }

    /// The machine is half as fast in the last turn of each third quad, which is that of the side that began.
    @Test func aChangeOfSpeedSpoilsItsPairOnly() throws {
        let steady = Quad(first: .base, base: [turn(1_000), turn(1_000)], new: [turn(1_100), turn(1_100)])
        let slowing = Quad(first: .base, base: [turn(1_000), turn(2_000)], new: [turn(1_100), turn(1_100)])
        #expect(abs(try ratio([steady, steady, slowing, steady, steady, slowing]) - 1.1) < 1e-12)
    }

    @Test func aFigureOfNothingHasNoRatio() {
        let quad = Quad(first: .new, base: [turn(0), turn(1)], new: [turn(1), turn(1)])
        #expect(launch([quad]).logRatio(ofPhase: 0, .cpu) == nil)
    }

    /// What shares a core differs by less in CPU time, and its times by the clock say nothing.
    @Test func turnsAtOnceShowCPUTimeAndOthersDurations() throws {
        let alone = Quad(first: .base, base: [turn(1_000), turn(1_000)], new: [turn(1_300), turn(1_300)])
        let atOnce = Quad(
            first: .base, base: [turn(1_000), turn(1_000)], new: [turn(1_100), turn(1_100)], isAtOnce: true)
        let both = launch([alone, atOnce, atOnce])
        #expect(both.quads(ofPhase: 0, showing: .cpu) == [atOnce, atOnce])
        #expect(both.quads(ofPhase: 0, showing: .duration) == [alone])
        #expect(abs(try ratio([alone, atOnce, atOnce]) - 1.1) < 1e-12)
        #expect(launch([alone]).quads(ofPhase: 0, showing: .cpu) == [alone])
        #expect(launch([atOnce]).quads(ofPhase: 0, showing: .duration).isEmpty)
        #expect(launch([atOnce]).quads(ofPhase: 1, showing: .cpu).isEmpty)
    }
}
