import Testing

@testable import BenchHarness

@Suite struct LaunchScheduleTests {
    private func schedules(_ count: UInt64) -> [LaunchSchedule] {
        (0..<count).map { seed in
            var random = SplitMix64(state: seed)
            return LaunchSchedule(quads: 8, using: &random)
        }
    }

    @Test func eachSideBeginsAboutAsOften() {
        let observations = schedules(100).flatMap(\.steps).filter { !$0.isInspection }
        #expect(observations.count == 800)
        #expect((350...450).contains(observations.count { $0.first == .base }))
    }

    @Test func theSecondPassOfAnObservationGoesTheOtherWayRound() {
        for step in schedules(5).flatMap(\.steps) {
            let order = [step.first, step.first.other]
            #expect(Set(order).count == 2)
            #expect(step.passes == (step.isInspection ? [order] : [order, [step.first.other, step.first]]))
        }
    }

    @Test func pausesDifferAndEndWithinTwentyMilliseconds() {
        let pauses = schedules(100).flatMap { $0.steps.map(\.pause) }
        #expect(pauses.allSatisfy { $0 <= 20_000 } && Set(pauses).count > 800)
        #expect((9_000...11_000).contains(pauses.reduce(0) { $0 + Int($1) } / pauses.count))
    }

    @Test func oneInspectionLiesAnywhereAmongTheObservations() {
        let places = schedules(200).map { schedule in
            schedule.steps.indices.filter { schedule.steps[$0].isInspection }
        }
        #expect(places.allSatisfy { $0.count == 1 } && Set(places.joined()) == Set(0...8))
    }
}
