import Dispatch
import Locking
import ManagedStore
import Testing

/// Lists that another context replaces, again and again, while they are read.
@Suite struct ListSnapshotTests {
    private static let lists = ["old", "new"]
    private static let rounds = 300

    /// Replaces the lists of both labels in each save, until it is over. Returns the number of saves.
    private func replaceLists(_ context: ManagedObjectContext, until isOver: DispatchSemaphore) throws -> Int {
        try context.performAndWait {
            let labels = try context.fetch(FetchRequest<ManagedObject>(entityName: "Label"))
            let things = try context.fetch(FetchRequest<ManagedObject>(entityName: "Thing"))
            let members = try Self.lists.map { name in
                try things.filter { try $0.value(forKey: "name") as? String == name }
            }
            var saves = 0
            repeat {
                saves += 1
                for label in labels { try label.setValue(members[saves % 2], forKey: "things") }
                try context.save()
            } while isOver.wait(timeout: .now()) == .timedOut
            return saves
        }
    }

    private func fill(_ context: ManagedObjectContext) throws {
        let bin = try context.make("Bin")
        let things = try Self.lists.flatMap { name in
            try (0..<8).map { _ in try context.make("Thing", ["name": name, "bin": bin]) }
        }
        for _ in 0..<2 { _ = try context.make("Label", ["things": Array(things.prefix(8))]) }
        try context.save()
    }

    /// A list is read in two statements, of its members and of their places.
    @Test(arguments: Backend.allCases, [false, true])
    func aListIsThatOfOneMoment(_ backend: Backend, isPrefetched: Bool) throws {
        let store = try Workshop.store(backend)
        try fill(store.context())
        let (isOver, saves) = (DispatchSemaphore(value: 0), Locked<Result<Int, any Error>?>(nil))
        let writing = DispatchGroup()
        DispatchQueue(label: "writer").async(group: writing) {
            let result = Result { try replaceLists(store.context(.privateQueue), until: isOver) }
            saves.withLock { $0 = result }
        }
        for _ in 0..<Self.rounds { try read(store.context(), isPrefetched: isPrefetched) }
        isOver.signal()
        writing.wait()
        #expect(try #require(saves.value).get() > 1)
    }

    private func read(_ context: ManagedObjectContext, isPrefetched: Bool) throws {
        var request = FetchRequest<ManagedObject>(entityName: "Label")
        if isPrefetched { request.relationshipKeyPathsForPrefetching = ["things"] }
        for label in try context.fetch(request) {
            let things = try #require(try label.value(forKey: "things") as? [ManagedObject])
            let names = Set(try things.map { try $0.value(forKey: "name") as? String ?? "" })
            #expect(things.count == 8 && names.count == 1, "\(things.count) of \(names)")
        }
    }
}
