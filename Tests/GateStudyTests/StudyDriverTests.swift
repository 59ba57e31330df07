import Foundation
import Testing

@testable import BenchHarness
@testable import GateStudy

@Suite struct StudyDriverTests {
    @Test func conditionsAreChosenByName() throws {
        #expect(try StudyCondition.named([]).count == 40)
        #expect(try StudyCondition.named(["+3%"]).count == 4)
        let onServer = try StudyCondition.named(["managed-postgres", "+3%"])
        #expect(onServer.map(\.store) == Array(repeating: .server, count: 4))
        #expect(try StudyCondition.named(["+3%", "none", "steady"]).count == 2)
        #expect(throws: StudyError.self) { try StudyCondition.named(["+4%"]) }
    }

    @Test func extraWorkTakesTimeInSmallSteps() throws {
        for cause in Slowdown.Cause.allCases where ![.spinning, .statementPerSave].contains(cause) {
            let work = try cause.work()
            let cpu = ProcessorClock()
            // What comes first is slower: pages that are touched, a thread that starts.
            for _ in 0..<10 { work.step() }
            let start = cpu.now()
            for _ in 0..<100 { work.step() }
            #expect(cpu.now() > start, "\(cause)")
            work.end()
        }
    }

    @Test func everyPhaseOfTheScenarioHasSlowerDrivers() throws {
        let names = Set(StudyDriver.all.map(\.name))
        for kind in ["seed", "fetch", "update", "merge"] {
            for (store, slowdown) in StudiedStore.allCases.flatMap({ store in Slowdown.all.map { (store, $0) } }) {
                #expect(names.contains(StudyDriver.name(store: store.rawValue, kind: kind, slowdown)))
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
        for driver in StudyDriver.all where driver.server == nil {
            #expect(driver.planter(of: configuration) != nil)
            #expect(driver.inspector(of: configuration)?.name == StudyDriver.all[0].inspector(of: configuration)?.name)
        }
    }
}
