import BenchHarness
import Foundation
import TestSupport
import Testing

@testable import BenchDrivers
@testable import DriverConformance

@Suite struct MessageMappingTests {
    private func entity() throws -> EntitySpec {
        try ScenarioReader().read(contentsOf: Repository.url("Scenarios/wide.json")).entity
    }

    @Test func itIsWrittenForTheEntityOfTheScenarioAlone() throws {
        var entity = try entity()
        #expect(MessageMapping.describes(entity))
        #expect(!MessageMapping.describes(.item))
        entity.attributes.swapAt(3, 4)
        #expect(!MessageMapping.describes(entity))
    }

    @Test(arguments: DriverCase.all, UpdateWork.Mode.allCases)
    func eachAttributeIsInItsPlace(_ subject: DriverCase, mode: UpdateWork.Mode) async throws {
        let entity = try entity()
        try await onThread {
            let store = try CheckedStore(subject.driver, entity: entity)
            let session = try store.seeded(40)
            let other = entity.attributes.indices.map { store.records.value($0, 99) }
            for (index, attribute) in entity.attributes.enumerated() {
                let change = AttributeChange(attribute: attribute.name, operation: .assign(other[index]))
                try session.update(UpdateWork(mode: mode, set: [change], chunkSize: 64))
                let expected = store.expected(0..<40) { _, values in
                    for changed in 0...index { values[changed] = other[changed] }
                }
                try session.expectStored(expected)
            }
            try session.expectFetched(
                FetchWork(mode: .sync), store.expected(0..<40) { _, values in values = other })
            try session.close()
        }
    }
}
