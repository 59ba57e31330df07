import Foundation
import ManagedStore
import TestSupport
import Testing

/// FileFormat.md.
@Suite struct FileFormatSnippets {
    @Test func externalData() throws {
        let attribute =
            // snippet.FileFormat.external
            AttributeDescription("photo", .binaryData, isOptional: true, allowsExternalBinaryDataStorage: true)
        // snippet.end
        #expect(attribute.allowsExternalBinaryDataStorage)
    }

    @Test func readingOnly() throws {
        let directory = try TemporaryDirectory()
        let url = directory.file("read-only.sqlite")
        let model = try ManagedObjectModel(Item.self)
        let made = PersistentStoreCoordinator(managedObjectModel: model)
        try made.addPersistentStore(.sqlite, at: url)
        try made.removePersistentStore()
        let coordinator = PersistentStoreCoordinator(managedObjectModel: model)
        // snippet.FileFormat.readOnly
        try coordinator.addPersistentStore(.sqlite, at: url, options: SQLiteStoreOptions(isReadOnly: true))
        // snippet.end
        #expect(try ManagedObjectContext(coordinator: coordinator).count(for: FetchRequest(Item.self)) == 0)
    }
}
