import Testing

@testable import BenchHarness

extension Surroundings {
    static let quiet = Surroundings(pressure: 0.01, othersCores: 0.02)
}

@Suite struct SurroundingsTests {
    @Test func aQuietMachineDisturbsNothing() {
        #expect(Surroundings.quiet.disturbance == nil)
    }

    @Test func threadsThatWaitForEachOtherDisturbNothing() {
        #expect(Surroundings(pressure: 0.9, othersCores: 0).disturbance == nil)
        #expect(Surroundings(pressure: 0, othersCores: 0.1).disturbance == Disturbance(kind: .others, share: 0.1))
    }

    @Test func whatTheSystemDoesNotTellDisturbs() {
        #expect(Surroundings().disturbance?.kind == .noProcessorTimes)
    }

    @Test func aQuotaDisturbsEveryTime() {
        let throttled = Surroundings(pressure: 0, othersCores: 0, throttled: 0.2)
        #expect(throttled.disturbance == Disturbance(kind: .quota, share: 0.2))
    }

    @Test func workOfOthersIsWhatTheOwnProcessesDidNotDo() {
        let start = Surroundings.Sample(clock: 1_000, pressure: 5, busy: 70, own: 20, throttled: 0)
        let end = Surroundings.Sample(clock: 1_200, pressure: 15, busy: 370, own: 120, throttled: 50)
        #expect(
            Surroundings(from: start, to: end) == Surroundings(pressure: 0.05, othersCores: 1, throttled: 0.25))
    }

    @Test func clockTicksMakeNoNegativeWork() {
        let start = Surroundings.Sample(clock: 0, busy: 0, own: 0)
        let end = Surroundings.Sample(clock: 100, busy: 90, own: 95)
        #expect(Surroundings(from: start, to: end) == Surroundings(othersCores: 0))
    }

    @Test func countersThatAreMissingStayUnknown() {
        let start = Surroundings.Sample(clock: 0, own: 0)
        #expect(Surroundings(from: start, to: start) == Surroundings())
    }

    @Test func countersOfThisMachineGrow() throws {
        let start = Surroundings.Sample.now
        let end = Surroundings.Sample.now
        #expect(end.clock > start.clock && end.own >= start.own)
        #expect(try #require(end.busy) >= #require(start.busy))
    }
}
