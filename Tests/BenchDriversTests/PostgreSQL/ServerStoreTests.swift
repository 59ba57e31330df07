import BenchHarness
import Foundation
import Testing

@testable import BenchDrivers

@Suite struct ServerStoreTests {
    private func store(_ address: String, folder: String = "/stores/one") throws -> ServerStore {
        let entity = EntitySpec(name: "Item", attributes: [])
        return ServerStore(
            StoreConfiguration(
                directory: URL(fileURLWithPath: folder), entity: entity, options: StoreOptions(),
                records: RecordGenerator(entity: entity, seed: 1)), at: try #require(URL(string: address)))
    }

    @Test(arguments: [
        ("postgresql://ann@host/items", "postgresql://ann@host/items?"),
        ("postgresql:///items?host=/run", "postgresql:///items?host=/run&"),
    ])
    func theSchemaIsTheSearchPath(address: String, beginning: String) throws {
        let store = try store(address)
        let options = "options=-csearch_path%3D\(store.schema)%20-csynchronous_commit%3Don"
        #expect(store.url.absoluteString == beginning + options + "&application_name=\(store.schema)")
    }

    @Test func optionsOfTheAddressStay() throws {
        let store = try store("postgresql:///items?options=-cjit%3Doff&host=/run&application_name=mine")
        let options = "options=-cjit%3Doff%20-csearch_path%3D\(store.schema)%20-csynchronous_commit%3Don"
        #expect(
            store.url.absoluteString == "postgresql:///items?host=/run&" + options + "&application_name=\(store.schema)"
        )
    }

    @Test func eachFolderHasASchemaOfItsOwn() throws {
        let address = "postgresql:///items"
        let (one, same, other) = try (
            store(address), store(address, folder: "/stores/../stores/one"), store(address, folder: "/stores/two")
        )
        #expect(one.schema == same.schema && one.schema != other.schema)
        #expect(one.schema.hasPrefix("bench_") && one.seededSchema.utf8.count < 63)
    }
}
