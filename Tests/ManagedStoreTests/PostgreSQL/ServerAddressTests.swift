import Foundation
import Testing

@testable import ManagedStore

@Suite struct ServerAddressTests {
    private func address(_ text: String) throws -> ServerAddress {
        let url = try #require(URL(string: text))
        return try #require(ServerAddress(url))
    }

    @Test(arguments: ["postgresql://host/db", "postgres://u@host:5433/db?sslmode=require", "postgresql:///db"])
    func addressesOfServersAreTaken(_ text: String) throws {
        #expect(try address(text).connectionString == text)
    }

    @Test(arguments: ["file:///items.sqlite", "http://host/db", "host/db"])
    func othersAreNot(_ text: String) throws {
        #expect(ServerAddress(try #require(URL(string: text))) == nil)
    }

    @Test(arguments: ["postgresql://ann:s3cret@host/db", "postgresql://ann@host/db?password=s3cret&sslmode=require"])
    func aPasswordIsInNothingThatIsShown(_ text: String) throws {
        let address = try address(text)
        #expect(address.name == "postgresql://host/db")
        #expect(!address.url.absoluteString.contains("s3cret") && address.url.absoluteString.contains("ann@host"))
        let said = address.redacted("cannot parse \(text)\n\tpassword s3cret is wrong\n")
        #expect(said == "cannot parse postgresql://host/db: password *** is wrong")
    }

    @Test func anErrorOfTheClientLibraryDoesNotShowThePassword() throws {
        let coordinator = PersistentStoreCoordinator(managedObjectModel: try ManagedObjectModel(Item.self))
        let url = try #require(URL(string: "postgresql://ann:s3cret@127.0.0.1:1/db?connect_timeout=2&nonsense=1"))
        let error = expectError(.storeFailure) { try coordinator.addPersistentStore(.postgreSQL, at: url) }
        #expect(error?.description.contains("s3cret") == false)
    }

    @Test func aStoreNeedsTheURLOfADatabase() throws {
        let coordinator = PersistentStoreCoordinator(managedObjectModel: try ManagedObjectModel(Item.self))
        let error = expectError(.invalidRequest) {
            try coordinator.addPersistentStore(.postgreSQL, at: URL(filePath: "items.sqlite"))
        }
        #expect(error?.message.contains("postgresql://localhost/items") == true)
    }
}
