import Foundation
import ManagedStore
import TestSupport
import Testing

/// What a batch insert does about values that must be unique.
@Suite struct UniqueBatchInsertTests {
    private struct Mismatch: Error {}

    private func store(_ backend: Backend) throws -> TestStore {
        let store = try TestStore(backend, model: Member.model())
        let context = store.context()
        let stored = Member("a", note: "old", in: context)
        (stored.club, stored.number) = ("x", 1)
        Member("b", note: "old", in: context)
        try context.save()
        return store
    }

    private func insert(
        _ objects: [[String: Any?]], _ policy: MergePolicy, in store: TestStore, entity: String = "Member"
    ) throws -> [ManagedObjectID] {
        let context = store.context()
        context.mergePolicy = policy
        var request = BatchInsertRequest(entityName: entity, objects: objects)
        request.resultType = .objectIDs
        guard case .objectIDs(let ids) = try context.execute(request) else { throw Mismatch() }
        return ids
    }

    private func members(_ store: TestStore) throws -> [String] {
        try store.context().fetch(FetchRequest(Member.self, sortBy: [SortDescriptor(\.email)]))
            .map { [$0.email, $0.note, $0.club].map { $0 ?? "-" }.joined(separator: " ") }
    }

    @Test(arguments: Backend.strictCases) func theObjectsUpdateWhatIsThere(_ backend: Backend) throws {
        let store = try store(backend)
        let other = store.context()
        let known = try #require(try other.fetch(FetchRequest(Member.self, sortBy: [SortDescriptor(\.email)])).first)
        let ids = try insert(
            [["email": "c", "note": "1"], ["email": "a", "note": "2"]], .mergeByPropertyObjectTrump, in: store)
        #expect(try members(store) == ["a 2 x", "b old -", "c 1 -"])
        #expect(ids.count == 2 && ids[1] == known.objectID)
        let new = try store.context().existingObject(with: ids[0]) as? Member
        #expect(new?.email == "c")
        #expect(known.note == "old")
        try other.refresh(known, mergeChanges: false)
        #expect(known.note == "2")
        known.note = "3"
        try other.save()
    }

    @Test(arguments: Backend.strictCases, [MergePolicy.mergeByPropertyStoreTrump, .rollback])
    func theObjectsAreLeftOut(_ backend: Backend, _ policy: MergePolicy) throws {
        let store = try store(backend)
        let ids = try insert(
            [["email": "a", "note": "1"], ["email": "c", "note": "2"], ["email": "c", "note": "3"]], policy, in: store)
        #expect(try members(store) == ["a old x", "b old -", "c 2 -"] && ids.count == 1)
    }

    @Test(arguments: Backend.strictCases) func theErrorNamesNoIDThatDoesNotExist(_ backend: Backend) throws {
        let store = try store(backend)
        let error = expectError(.constraintConflict) {
            try insert([["email": "c"], ["email": "a"]], .error, in: store)
        }
        #expect(
            error?.message.hasPrefix("nothing was inserted: object 1 of the batch and managed") == true
                || error?.message.hasPrefix("nothing was inserted: object 1 of the batch and x-coredata") == true)
        #expect(error?.message.contains("t-9223") == false && error?.message.contains("mergePolicy") == true)
        let conflict = try #require(error?.constraintConflicts.first)
        #expect(conflict.databaseObjectID != nil && conflict.conflictingObjectIDs.isEmpty)
        let twice = expectError(.constraintConflict) {
            try insert([["email": "c"], ["email": "d"], ["email": "c"]], .error, in: store)
        }
        #expect(twice?.message.contains("objects 0, 2 of the batch have email") == true, "\(twice?.message ?? "")")
        #expect(try members(store).count == 2)
    }

    /// What a dictionary does not name stays as it is; nil that it names is a value.
    @Test(arguments: Backend.strictCases) func aDictionaryChangesWhatItNames(_ backend: Backend) throws {
        let store = try store(backend)
        _ = try insert([["email": "a", "note": nil]], .mergeByPropertyObjectTrump, in: store)
        #expect(try members(store) == ["a - x", "b old -"])
        _ = try insert([["email": "a", "note": "n"]], .overwrite, in: store)
        #expect(try members(store) == ["a n -", "b old -"])
    }

    @Test(arguments: Backend.strictCases) func anObjectChangesWhatItHasAValueFor(_ backend: Backend) throws {
        let store = try store(backend)
        let context = store.context()
        context.mergePolicy = .mergeByPropertyObjectTrump
        var emails = ["c", "a"]
        let request = BatchInsertRequest(Member.self) { member in
            guard let email = emails.popLast() else { return true }
            (member.email, member.club) = (email, "z")
            return false
        }
        _ = try context.execute(request)
        #expect(try members(store) == ["a old z", "b old -", "c - z"])
    }

    @Test(arguments: Backend.strictCases) func anObjectOfASubentityIsUpdated(_ backend: Backend) throws {
        let store = try store(backend)
        let context = store.context()
        let officer = Officer("o", in: context)
        officer.title = "chair"
        try context.save()
        let ids = try insert([["email": "o", "note": "1"]], .mergeByPropertyObjectTrump, in: store)
        #expect(ids == [officer.objectID])
        let chair: [String: Any?] = ["email": "a", "title": "t", "note": "2"]
        _ = try insert([chair], .mergeByPropertyObjectTrump, in: store, entity: "Officer")
        let found = try store.context().fetch(FetchRequest(Member.self, sortBy: [SortDescriptor(\.email)]))
        #expect(found.map(\.note) == ["2", "old", "1"] && (found[2] as? Officer)?.title == "chair")
    }

    @Test(arguments: Backend.strictCases) func valuesOfTwoStoredObjectsAreRefused(_ backend: Backend) throws {
        let store = try store(backend)
        let error = expectError(.constraintConflict) {
            try insert([["email": "b", "club": "x", "number": 1]], .mergeByPropertyObjectTrump, in: store)
        }
        #expect(error?.message.contains("several stored objects have values of its objects 0") == true)
        #expect(error?.constraintConflicts.first?.conflictingObjectIDs.contains(where: \.isTemporaryID) == false)
        #expect(try members(store) == ["a old x", "b old -"])
    }

    @Test(arguments: Backend.strictCases) func aChildContextInsertsLikewise(_ backend: Backend) throws {
        let store = try store(backend)
        let child = try ManagedObjectContext(parent: store.context())
        child.mergePolicy = .mergeByPropertyObjectTrump
        _ = try child.execute(BatchInsertRequest(entityName: "Member", objects: [["email": "a", "note": "1"]]))
        #expect(try members(store) == ["a 1 x", "b old -"])
    }

    /// Each object is inserted after the one before it.
    @Test(arguments: Backend.strictCases, 0..<8 as Range<UInt64>)
    func randomBatchesDoWhatTheirObjectsDoOneByOne(_ backend: Backend, _ seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let policies = [MergePolicy.mergeByPropertyObjectTrump, .mergeByPropertyStoreTrump, .overwrite, .rollback]
        let (whole, single) = (try store(backend), try store(backend))
        for _ in 0..<5 {
            let policy = try #require(policies.randomElement(using: &random))
            let objects = (0..<Int.random(in: 1...12, using: &random)).map { _ in
                var object: [String: Any?] = ["email": "abcdefgh".map(String.init).randomElement(using: &random)]
                if Bool.random(using: &random) { object["note"] = "\(Int.random(in: 0...9, using: &random))" }
                if Bool.random(using: &random) { object["club"] = Bool.random(using: &random) ? nil : "y" }
                return object
            }
            let ids = try insert(objects, policy, in: whole)
            for object in objects { _ = try insert([object], policy, in: single) }
            #expect(try members(whole) == members(single), "\(policy.mergeType): \(objects)")
            #expect(Set(ids).count == ids.count && ids.allSatisfy { !$0.isTemporaryID })
        }
    }
}
