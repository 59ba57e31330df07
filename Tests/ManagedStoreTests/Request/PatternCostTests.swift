import Foundation
import TestSupport
import Testing

@testable import ManagedStore

/// A regular expression that backtracks without end is an error that names it; the same in both stores, and wherever
/// one is matched.
@Suite struct PatternCostTests {
    /// The first two take too many steps, the last one too much memory, with strings of such lengths.
    private static let catastrophic = [("(a+)+$", 1_000), ("(a|a)*b", 1_000), ("(a|b)*c", 300_000)]
    private static let text = String(repeating: "a", count: 1_000) + "x"

    private func context(_ backend: Backend, length: Int) throws -> ManagedObjectContext {
        let context = try TestStore(backend).context()
        for number in 0..<10 { Item("\(String(repeating: "a", count: length))x\(number)", in: context) }
        try context.save()
        return context
    }

    @Test(arguments: Backend.allCases, catastrophic)
    func aFetchFailsAndNamesThePattern(_ backend: Backend, _ regular: (pattern: String, length: Int)) throws {
        let pattern = regular.pattern
        let context = try context(backend, length: regular.length)
        let predicate = FetchPredicate.string("name", .matches, pattern)
        var request = FetchRequest(Item.self, predicate: predicate)
        for attempt in [
            { _ = try context.fetch(request) }, { _ = try context.count(for: request) },
            { _ = try context.fetchObjectIDs(request) },
            { _ = try context.execute(BatchUpdateRequest(Item.self, set: ["done": true], predicate: predicate)) },
            { _ = try context.execute(BatchDeleteRequest(fetchRequest: request)) },
        ] {
            let error = expectError(.invalidRequest) { try attempt() }
            #expect(error?.message.contains(pattern) == true, "\(String(describing: error))")
        }
        request.resultType = .dictionary
        expectError(.invalidRequest) { try context.execute(request) }
        #expect(try context.count(for: FetchRequest(Item.self, predicate: .compare("done", .equal, true))) == 0)
    }

    @Test(arguments: Backend.allCases) func aFetchAmongUnsavedObjectsFails(_ backend: Backend) throws {
        let store = try TestStore(backend)
        let context = store.context()
        Item(Self.text, in: context)
        let request = FetchRequest(Item.self, predicate: .string("name", .matches, "(a+)+$"))
        expectError(.invalidRequest) { try context.fetch(request) }
        expectError(.invalidRequest) { try context.count(for: request) }
        let child = try ManagedObjectContext(concurrencyType: .confinement, parent: context)
        expectError(.invalidRequest) { try child.fetch(request) }
    }

    @Test(arguments: Backend.allCases) func patternsThatCostLittlePerLetterGoOn(_ backend: Backend) throws {
        let context = try TestStore(backend).context()
        Item(String(repeating: "hello world ", count: 20_000), in: context)
        Item("aab", in: context)
        try context.save()
        #expect(try context.items(.string("name", .matches, #"(\w+\s?)*"#)).count == 2)
        #expect(try context.items(.string("name", .matches, "(a+)+b")).count == 1)
        #expect(try context.items(.string("name", .matches, "[a-z ]*")).count == 2)
    }

    @Test func validationFailsAndNamesThePattern() throws {
        let name = AttributeDescription("name", .string, pattern: "(a+)+$")
        let model = try ManagedObjectModel(entities: [EntityDescription(name: "Thing", attributes: [name])])
        let coordinator = PersistentStoreCoordinator(managedObjectModel: model)
        try coordinator.addPersistentStore(.inMemory)
        let context = ManagedObjectContext(coordinator: coordinator)
        let thing = try EntityDescription.insertNewObject(forEntityName: "Thing", into: context)
        try thing.setValue(Self.text, forKey: "name")
        let error = expectError(.invalidRequest) { try context.save() }
        #expect(error?.message.contains("(a+)+$") == true)
        try thing.setValue("aaa", forKey: "name")
        try context.save()
    }
}
