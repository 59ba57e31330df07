import BenchHarness
import Testing

@testable import GateStudy

@Suite struct StudyDriverTests {
    @Test func everyPhaseOfTheScenarioHasSlowerDrivers() throws {
        let names = Set(StudyDriver.all.map(\.name))
        for kind in ["seed", "fetch", "update", "merge"] {
            for percent in StudyVariant.slowdowns {
                #expect(names.contains(StudyDriver.name(kind: kind, percent: percent)))
            }
        }
    }
}
