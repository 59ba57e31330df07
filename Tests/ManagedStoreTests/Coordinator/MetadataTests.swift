import Foundation
import ManagedStore
import Testing

@Suite struct MetadataTests {
    private static let entries: [String: StoredValue] = [
        "text": .string("Straße"), "flag": .boolean(true), "off": .boolean(false), "one": .integer64(1),
        "zero": .integer64(0),
        "big": .integer64(.max), "real": .double(1.5), "whole": .double(1), "date": .date(86_400),
        "bytes": .binaryData(Data([1, 0])),
    ]

    @Test(arguments: Backend.all) func entriesAreSavedWithTheNextSave(_ backend: Backend) throws {
        let store = try TestStore(backend)
        let context = store.context()
        store.coordinator.metadata = Self.entries
        #expect(context.hasChanges)
        try context.save()
        #expect(!context.hasChanges)
        #expect(store.coordinator.metadata == Self.entries)
    }

    @Test func entriesOfEveryTypeSurviveReopening() throws {
        let store = try TestStore()
        store.coordinator.metadata = Self.entries
        try store.context().save()
        try store.coordinator.removePersistentStore()
        let read = try store.secondCoordinator().metadata
        for (key, value) in Self.entries { #expect(read[key] == value, "\(key)") }
        #expect(read.count == Self.entries.count)
    }

    @Test func unsavedEntriesAreNotInTheFile() throws {
        let store = try TestStore()
        store.coordinator.metadata = Self.entries
        try store.coordinator.removePersistentStore()
        #expect(try store.secondCoordinator().metadata.isEmpty)
    }

    @Test(arguments: Backend.all) func aFailedSaveKeepsEntriesUnsaved(_ backend: Backend) throws {
        let store = try TestStore(backend)
        let context = store.context()
        let item = Item(context: context)
        store.coordinator.metadata = ["filled": .boolean(true)]
        expectError(.validationMultipleErrors) { try context.save() }
        #expect(context.hasChanges)
        context.delete(item)
        try context.save()
        #expect(store.coordinator.metadata == ["filled": .boolean(true)])
    }

    @Test(arguments: Backend.all) func keysOfTheStoresOwnAreRefused(_ backend: Backend) throws {
        let store = try TestStore(backend)
        store.coordinator.metadata = ["NSStoreType": .string("mine")]
        expectError(.invalidRequest) { try store.context().save() }
    }

    @Test func whatCoreDataWroteThereStays() throws {
        let store = try TestStore()
        try store.coordinator.removePersistentStore()
        let plist: [String: Any] = ["NSStoreModelVersionHashesVersion": 3, "_NSAutoVacuumLevel": "2", "mine": [1, 2]]
        let bytes = try PropertyListSerialization.data(fromPropertyList: plist, format: .binary, options: 0)
        let hex = bytes.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
        let database = try store.database()
        try database.execute("UPDATE Z_METADATA SET Z_PLIST = x'\(hex)'")
        let coordinator = try store.secondCoordinator()
        coordinator.metadata = ["filled": .boolean(true)]
        try ManagedObjectContext(coordinator: coordinator).save()
        let read = try PropertyListSerialization.propertyList(
            from: try database.blob("SELECT Z_PLIST FROM Z_METADATA"), format: nil)
        let entries = try #require(read as? [String: Any])
        let own: Set = ["NSStoreModelVersionHashesVersion", "_NSAutoVacuumLevel", "mine", "filled"]
        // And what the store itself notes.
        #expect(Set(entries.keys) == own.union(["NSManagedStoreRequired"]))
    }

    /// The to-do list fills itself once: what it remembers must survive.
    @Test func aStoreIsFilledOnce() throws {
        let store = try TestStore()
        for _ in 0..<3 {
            let coordinator = try store.secondCoordinator()
            let context = ManagedObjectContext(coordinator: coordinator)
            if coordinator.metadata["filled"] != .boolean(true) {
                for number in 0..<10 { Item("Item \(number)", at: Double(number), in: context) }
                coordinator.metadata["filled"] = .boolean(true)
                try context.save()
            }
            try coordinator.removePersistentStore()
        }
        #expect(try store.context().items().count == 10)
    }
}
