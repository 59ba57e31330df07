import BenchHarness
import Testing

@testable import GateStudy

@Suite struct StudyDriverTests {
    @Test func conditionsAreChosenByName() throws {
        #expect(try StudyCondition.named([]).count == 16)
        #expect(try StudyCondition.named(["+3%"]).count == 4)
        #expect(try StudyCondition.named(["+3%", "none", "steady"]).count == 2)
        #expect(throws: StudyError.self) { try StudyCondition.named(["+4%"]) }
    }

    @Test func everyPhaseOfTheScenarioHasSlowerDrivers() throws {
        let names = Set(StudyDriver.all.map(\.name))
        for kind in ["seed", "fetch", "update", "merge"] {
            for percent in StudyVariant.slowdowns {
                #expect(names.contains(StudyDriver.name(kind: kind, percent: percent)))
            }
        }
    }
}
