import Foundation
import ManagedStore
import TestSupport
import Testing

/// A fetch finds what it would find had the unsaved changes been saved.
@Suite struct PendingChangesTests {
    @Test(arguments: Backend.all) func insertionsChangesAndDeletionsCount(_ backend: Backend) throws {
        let (context, items) = try TestStore(backend).contextWithItems(4)
        items[0].name = "changed"
        context.delete(items[1])
        Item("new", at: 2.5, in: context)
        #expect(try context.items().map(\.name) == ["changed", "Item 2", "new", "Item 3"])
        #expect(try context.items(.compare("name", .equal, "changed")) == [items[0]])
        #expect(try context.items(.compare("name", .equal, "Item 0")).isEmpty)
        #expect(try context.count(for: FetchRequest(Item.self)) == 4)
    }

    @Test(arguments: Backend.all) func theyDoNotCountWhenNotWanted(_ backend: Backend) throws {
        let (context, items) = try TestStore(backend).contextWithItems(3)
        context.delete(items[0])
        Item("new", at: 9, in: context)
        items[1].name = "changed"
        var request = FetchRequest(Item.self, predicate: .compare("name", .equal, "Item 1"))
        request.includesPendingChanges = false
        #expect(try context.fetch(request) == [items[1]])
        request.predicate = nil
        #expect(try context.count(for: request) == 3)
        #expect(try context.fetch(request).count == 3)
    }

    @Test(arguments: Backend.all, [1, 2, 3, 4, 5, 6] as [UInt64])
    func aFetchIsWhatItWouldBeHadTheChangesBeenSaved(_ backend: Backend, _ seed: UInt64) throws {
        var random = RandomRows(seed: seed, for: backend)
        let context = try TestStore(backend).context()
        for _ in 0..<60 { try random.fill(Everything(context: context)) }
        try context.save()
        let objects = try context.fetch(FetchRequest(Everything.self))
        try edit(objects, in: context, &random)
        var requests: [FetchRequest<Everything>] = []
        for _ in 0..<40 { requests.append(Self.request(&random)) }
        let before = try requests.map { try context.fetch($0) }
        let counts = try requests.map { try context.count(for: $0) }
        let ids = try requests.map { try context.fetchObjectIDs($0).count }
        try context.save()
        for (index, request) in requests.enumerated() {
            #expect(try context.fetch(request) == before[index], "\(request)")
            #expect(counts[index] == before[index].count && ids[index] == before[index].count)
        }
    }

    private func edit(_ objects: [Everything], in context: ManagedObjectContext, _ random: inout RandomRows) throws {
        for object in objects {
            switch Int.random(in: 0..<4, using: &random.generator) {
            case 0: try random.fill(object)
            case 1: context.delete(object)
            default: break
            }
        }
        for _ in 0..<20 {
            let new = Everything(context: context)
            try random.fill(new)
            if random.generator.oneIn(4) { context.delete(new) }
        }
    }

    private static func request(_ random: inout RandomRows) -> FetchRequest<Everything> {
        var request = FetchRequest(Everything.self, predicate: random.predicate())
        request.sortDescriptors = random.sort()
        if random.generator.oneIn(2) { request.fetchLimit = Int.random(in: 0..<30, using: &random.generator) }
        if random.generator.oneIn(2) { request.fetchOffset = Int.random(in: 0..<30, using: &random.generator) }
        return request
    }
}
