import Foundation
import Testing

@testable import BenchHarness
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

    /// What is planted is written before a turn: a side without it would start from another store than the other side.
    @Test func slowerDriversStartFromTheStoreThatTheDriverStartsFrom() {
        let name = AttributeSpec(name: "name", type: .string, generator: .sequence(prefix: "Item ", start: 0, step: 1))
        let entity = EntitySpec(name: "Item", attributes: [name])
        let configuration = StoreConfiguration(
            directory: FileManager.default.temporaryDirectory, entity: entity, options: StoreOptions(),
            records: RecordGenerator(entity: entity, seed: 1))
        for driver in StudyDriver.all {
            #expect(driver.planter(of: configuration) != nil)
            #expect(driver.inspector(of: configuration)?.name == StudyDriver.all[0].inspector(of: configuration)?.name)
        }
    }
}
