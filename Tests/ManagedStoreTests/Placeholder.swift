import Foundation
import ManagedStore
import Testing

final class Item: ManagedObject {
    static let name = Attribute("name", \Item.name)
    static let createdAt = Attribute("createdAt", \Item.createdAt)
    static let done = Attribute("done", \Item.done, default: false)
    override class var attributes: [any AttributeKey] { [name, createdAt, done] }

    var name: String { get { self[Item.name] } set { self[Item.name] = newValue } }
    var createdAt: Date { get { self[Item.createdAt] } set { self[Item.createdAt] = newValue } }
    var done: Bool { get { self[Item.done] } set { self[Item.done] = newValue } }
}

@Test func smoke() async throws {
    let url = FileManager.default.temporaryDirectory.appending(path: "\(UUID()).sqlite")
    let c = PersistentStoreCoordinator(managedObjectModel: try ManagedObjectModel(Item.self))
    try c.addPersistentStore(.sqlite, at: url)
    let ctx = ManagedObjectContext(concurrencyType: .privateQueue, coordinator: c)
    try await ctx.perform {
        for i in 0..<10_000 {
            let item = Item(context: ctx)
            item.name = "Item \(i)"
            item.createdAt = Date(timeIntervalSinceReferenceDate: Double((i * 7919) % 10_007))
        }
        try ctx.save()
        var request = FetchRequest(Item.self, sortBy: [SortDescriptor(\.createdAt)])
        let items = try ctx.fetch(request)
        #expect(items.count == 10_000)
        #expect(zip(items, items.dropFirst()).allSatisfy { $0.createdAt <= $1.createdAt })
        for item in items { item.done = true }
        try ctx.save()
        request.predicate = FetchPredicate(#Predicate<Item> { $0.done && $0.name.contains("99") })
        #expect(try ctx.count(for: request) == (0..<10_000).count { "\($0)".contains("99") })
        let other = ManagedObjectContext(coordinator: c)
        let theirs = try other.existingObject(with: items[0].objectID) as! Item
        theirs.name = "changed"
        try other.save()
        items[0].name = "mine"
        #expect(throws: StoreError.self) { try ctx.save() }
    }
    let n = try await ctx.fetch(FetchRequest(Item.self)) { $0.count }
    #expect(n == 10_000)
}
