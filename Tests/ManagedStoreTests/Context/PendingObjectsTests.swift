import Foundation
import TestSupport
import Testing

@testable import ManagedStore

/// Unsaved changes that are taken back one by one.
@Suite struct PendingObjectsTests {
    private func items(_ count: Int) throws -> [Item] {
        let context = try TestStore(.inMemory).context()
        return (0..<count).map { Item("Item \($0)", in: context) }
    }

    /// How many steps it takes to take out all of `items` from the first to the last.
    private func steps(_ items: ArraySlice<Item>) -> Int {
        var pending = PendingObjects()
        for item in items { pending.append(item) }
        for item in items { pending.remove(item) }
        let left = pending.all
        #expect(pending.isEmpty && left.isEmpty)
        return pending.steps
    }

    @Test func takingOutTwiceAsManyTakesTwiceTheSteps() throws {
        let items = try items(8_000)
        let (few, many) = (steps(items.prefix(4_000)), steps(items[...]))
        #expect(few < 15 * 4_000 && many < few * 5 / 2)
    }

    @Test(arguments: 0..<5 as Range<UInt64>) func theyStayInOrder(_ seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let items = try items(700)
        var (pending, expected, reported) = (PendingObjects(), [Item](), Set<Item>())
        for _ in 0..<4_000 {
            let item = items[Int.random(in: items.indices, using: &random)]
            if let index = expected.firstIndex(of: item) {
                pending.remove(item)
                expected.remove(at: index)
                reported.remove(item)
            } else {
                pending.append(item)
                expected.append(item)
            }
            #expect(pending.count == expected.count && pending.isEmpty == expected.isEmpty)
            let all = random.oneIn(50) ? Array(pending.all) : expected
            #expect(all == expected)
            guard random.oneIn(40) else { continue }
            let unreported = Array(pending.unreported)
            #expect(unreported == expected.filter { !reported.contains($0) })
            pending.noteReported()
            reported = Set(expected)
        }
    }

    /// Would not end if each object were looked for among all others.
    @Test func aHundredThousandDeletionsOfChangedObjectsAreMerged() throws {
        let store = try TestStore(.inMemory)
        let (context, items) = try store.contextWithItems(100_000)
        let other = store.context()
        let recorder = NotificationRecorder(ManagedObjectContext.didSaveObjectsNotification, from: other)
        for item in try other.items() { other.delete(item) }
        try other.save()
        for item in items { item.done = true }
        try context.mergeChanges(fromContextDidSave: try #require(recorder.notifications.first))
        #expect(!context.hasChanges && items.allSatisfy { $0.managedObjectContext == nil })
    }

    @Test func aHundredThousandChangedObjectsAreDeleted() throws {
        let (context, items) = try TestStore(.inMemory).contextWithItems(100_000)
        for item in items { item.done = true }
        for item in items { context.delete(item) }
        #expect(context.updatedObjects.isEmpty && context.deletedObjects.count == items.count)
    }
}
