import Foundation
import Locking
import TestSupport
import Testing

@testable import ManagedStore

@Suite struct ObjectTableTests {
    private func source() throws -> ObjectIDSource {
        ObjectIDSource(storeIdentifier: UUID(), model: try ManagedObjectModel(Item.self), entityIndex: 0)
    }

    private func object(_ key: Int64, _ source: ObjectIDSource) -> ManagedObject {
        let page = RowPage(writable: source, capacity: 1)
        return Item(_page: page, row: page.appendRow(key: key), state: [])
    }

    @Test(arguments: [1, 2, 3] as [UInt64]) func itAgreesWithADictionary(_ seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        let source = try source()
        var table = ObjectTable()
        defer { table.deallocate() }
        var expected: [Int64: ManagedObject] = [:]
        let keys: [Int64] = (0..<300).map { $0 % 2 == 0 ? $0 : $0 << 20 } + [.max, .min, -1]
        for step in 0..<20_000 {
            let key = generator.pick(keys)
            if let known = expected[key], !generator.oneIn(3) {
                table.remove(known)
                expected[key] = nil
            } else if expected[key] == nil {
                let new = object(key, source)
                table.insert(new)
                expected[key] = new
            }
            #expect(table.object(key) === expected[key])
            if step % 500 == 0 { table._checkInvariants() }
        }
        #expect(table.count == expected.count)
        #expect(Set(table.objects()) == Set(expected.values))
    }

    @Test func removingWhatIsNotInItDoesNothing() throws {
        let source = try source()
        var table = ObjectTable()
        defer { table.deallocate() }
        let (first, second) = (object(1, source), object(1, source))
        table.insert(first)
        table.remove(second)
        #expect(table.object(1) === first && table.count == 1)
        table.remove(first)
        table._checkInvariants()
        #expect(table.object(1) == nil && table.count == 0)
    }

    @Test func aNewObjectTakesTheSlotOfADyingOne() throws {
        let source = try source()
        var table = ObjectTable()
        defer { table.deallocate() }
        let (old, new) = (object(7, source), object(7, source))
        table.insert(old)
        table.insert(new)
        #expect(table.object(7) === new && table.count == 1)
        table.remove(old)
        #expect(table.object(7) === new && table.count == 1)
    }

    @Test func keysFarApartAndNextToEachOtherAreFound() throws {
        let source = try source()
        var table = ObjectTable()
        defer { table.deallocate() }
        let objects = (0..<100).flatMap { [object(Int64($0) << 32, source), object(Int64($0) << 32 + 1, source)] }
        for object in objects { table.insert(object) }
        table._checkInvariants()
        #expect(objects.allSatisfy { table.object($0.row.key) === $0 })
    }

    @Test(arguments: [11, 12] as [UInt64]) func objectsMayDieWhileOthersAreLookedUp(_ seed: UInt64) async throws {
        let store = try TestStore(.inMemory)
        try store.seed(400)
        let context = store.context(.privateQueue)
        let handover = Locked(HeldItems())
        let isDone = Locked(false)
        // A thread: a task that spins would keep one of the few threads that other tests' tasks need.
        let dropped = DispatchSemaphore(value: 0)
        Thread.detachNewThread {
            while !isDone.value {
                handover.withLock { $0.items = [] }
                usleep(100)
            }
            handover.withLock { $0.items = [] }
            dropped.signal()
        }
        try await context.perform {
            var generator = SeededGenerator(seed: seed)
            for _ in 0..<40 {
                nonisolated(unsafe) let items = try context.items()
                handover.withLock { $0.items += items }
                _ = context.registeredObject(for: items[Int.random(in: 0..<400, using: &generator)].objectID)
                #expect(try context.items().count == 400)
                context.registry._checkInvariants()
            }
        }
        isDone.withLock { $0 = true }
        await withCheckedContinuation { continuation in
            DispatchQueue.global().async {
                dropped.wait()
                continuation.resume()
            }
        }
        try await context.perform {
            context.registry._checkInvariants()
            #expect(context.registeredObjects.isEmpty)
        }
    }
}
