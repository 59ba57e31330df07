import Foundation
import Testing

@testable import ManagedStore

/// Declaring indexes, and what SQLite does with them.
@Suite struct FetchIndexTests {
    private static func model(_ indexes: [[String]]) throws -> ManagedObjectModel {
        try ManagedObjectModel(entities: [thing(indexes)])
    }

    private static func thing(_ indexes: [[String]]) -> EntityDescription {
        EntityDescription(
            name: "Thing",
            attributes: [
                AttributeDescription("name", .string, isOptional: true),
                AttributeDescription("rank", .integer64, isOptional: true),
                AttributeDescription("bytes", .binaryData, isOptional: true),
            ], fetchIndexes: indexes)
    }

    private func indexes(_ store: TestStore) throws -> [String?] {
        try store.database().rows("SELECT sql FROM sqlite_master WHERE type = 'index' ORDER BY name").map { $0[0] }
    }

    @Test(
        arguments: [
            ([[]], "is empty"), ([["nmae"]], "there is no attribute"), ([["name", "name"]], "twice"),
            ([["name"], ["name"]], "twice"), ([["bytes"]], "no order"),
        ] as [([[String]], String)])
    func anIndexThatMakesNoSenseIsRefused(_ indexes: [[String]], _ words: String) {
        let error = expectError(.invalidModel) { try Self.model(indexes) }
        #expect(error?.message.contains(words) == true, "\(error?.message ?? "")")
    }

    @Test func aSubentityAddsItsOwn() throws {
        let base = Self.thing([["name"]])
        let sub = EntityDescription(
            name: "Sub", attributes: [AttributeDescription("size", .double, isOptional: true)], superentity: base,
            fetchIndexes: [["size", "name"]])
        let store = try TestStore(model: try ManagedObjectModel(entities: [base, sub]))
        #expect(sub.fetchIndexes == [["name"], ["size", "name"]])
        let found = try indexes(store).compactMap(\.self).filter { $0.contains("_INDEX_") }
        #expect(
            found == [
                "CREATE INDEX Z_Sub_INDEX_size_name ON ZTHING (ZSIZE, ZNAME)",
                "CREATE INDEX Z_Thing_INDEX_name ON ZTHING (ZNAME)",
            ])
    }

    @Test func aFileGetsTheIndexesThatItsModelGainedAndKeepsTheOthers() throws {
        let store = try TestStore(model: Self.model([["name"]]))
        #expect(try indexes(store) == ["CREATE INDEX Z_Thing_INDEX_name ON ZTHING (ZNAME)"])
        for model in [try Self.model([["rank", "name"]]), try Self.model([])] {
            _ = try store.secondCoordinator(model)
            #expect(
                try indexes(store) == [
                    "CREATE INDEX Z_Thing_INDEX_name ON ZTHING (ZNAME)",
                    "CREATE INDEX Z_Thing_INDEX_rank_name ON ZTHING (ZRANK, ZNAME)",
                ])
        }
    }

    @Test func aFetchWithALimitReadsNoMoreThanItNeeds() throws {
        func steps(_ indexes: [[String]]) throws -> Int {
            let store = try TestStore(model: Self.model(indexes))
            let context = store.context(.privateQueue)
            return try context.performAndWait {
                for rank in 0..<2_000 {
                    let thing = try EntityDescription.insertNewObject(forEntityName: "Thing", into: context)
                    try thing.setValue(Int64(rank * 7_919 % 2_000), forKey: "rank")
                }
                try context.save()
                context.reset()
                store.coordinator.resetStatistics()
                var request = FetchRequest<ManagedObject>(entityName: "Thing")
                request.sortDescriptors = [FetchSortDescriptor(key: "rank", ascending: false)]
                request.fetchLimit = 5
                let ranks = try context.fetch(request).map { try $0.value(forKey: "rank") as? Int64 }
                #expect(ranks == [1_999, 1_998, 1_997, 1_996, 1_995])
                return try #require(store.coordinator.statistics.vmSteps)
            }
        }
        let (without, with) = (try steps([]), try steps([["rank"]]))
        #expect(with > 0 && with * 20 < without)
    }
}
