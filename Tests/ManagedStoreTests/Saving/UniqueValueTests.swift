import Foundation
import Locking
import ManagedStore
import TestSupport
import Testing

/// What a save does about values that must be unique.
@Suite struct UniqueValueTests {
    private func store(_ backend: Backend) throws -> TestStore { try TestStore(backend, model: Member.model()) }

    private func members(_ store: TestStore) throws -> [Member] {
        try store.context().fetch(FetchRequest(Member.self, sortBy: [SortDescriptor(\.email)]))
    }

    @Test(arguments: Backend.strictCases) func aValueThatIsThereAlreadyIsAnError(_ backend: Backend) throws {
        let store = try store(backend)
        let context = store.context()
        let stored = Member("a", in: context)
        try context.save()
        let new = Member("a", in: context)
        Member("b", in: context)
        let error = expectError(.constraintConflict) { try context.save() }
        #expect(error?.code.rawValue == 133_021 && error?.constraintConflicts.count == 1)
        let conflict = try #require(error?.constraintConflicts.first)
        #expect(conflict.constraint == ["email"] && conflict.constraintValues == ["email": .string("a")])
        #expect(conflict.databaseObjectID == stored.objectID && conflict.conflictingObjectIDs == [new.objectID])
        #expect(try members(store).count == 1 && context.insertedObjects.count == 2)
        new.email = "c"
        try context.save()
        #expect(try members(store).map(\.email) == ["a", "b", "c"])
    }

    @Test(arguments: Backend.strictCases) func twoOfOneSaveCollide(_ backend: Backend) throws {
        let store = try store(backend)
        let context = store.context()
        let new = [Member("a", in: context), Member("a", in: context)]
        let error = expectError(.constraintConflict) { try context.save() }
        #expect(error?.constraintConflicts.first?.databaseObjectID == nil)
        #expect(error?.constraintConflicts.first?.conflictingObjectIDs == new.map(\.objectID))
        #expect(try members(store).isEmpty)
    }

    @Test(arguments: Backend.strictCases) func missingValuesDoNotCollide(_ backend: Backend) throws {
        let store = try store(backend)
        let context = store.context()
        for number in [nil, 5, 5] as [Int64?] { Member(nil, in: context).number = number }
        try context.save()
        #expect(try members(store).count == 3)
    }

    @Test(arguments: Backend.strictCases) func severalAttributesAreUniqueTogether(_ backend: Backend) throws {
        let store = try store(backend)
        let context = store.context()
        for (club, number) in [("x", 1), ("x", 2), ("y", 1)] as [(String, Int64)] {
            let member = Member(nil, in: context)
            (member.club, member.number) = (club, number)
        }
        try context.save()
        let member = Member(nil, in: context)
        (member.club, member.number) = ("y", 1)
        let error = expectError(.constraintConflict) { try context.save() }
        #expect(error?.constraintConflicts.first?.constraint == ["club", "number"])
    }

    /// Composed and decomposed, in capitals or not: SQLite compares bytes.
    @Test(arguments: Backend.strictCases) func stringsAreUniqueByTheirBytes(_ backend: Backend) throws {
        let store = try store(backend)
        let context = store.context()
        for email in ["é", "e\u{301}", "É", "é ", ""] { Member(email, in: context) }
        try context.save()
        #expect(try members(store).count == 5)
        Member("", in: context)
        expectError(.constraintConflict) { try context.save() }
    }

    @Test(arguments: Backend.strictCases) func aValueIsFreeAsSoonAsTheSaveGivesItUp(_ backend: Backend) throws {
        let store = try store(backend)
        let context = store.context()
        let stored = ["a", "b", "c"].map { Member($0, note: $0, in: context) }
        try context.save()
        context.delete(stored[0])
        Member("a", note: "new", in: context)
        (stored[1].email, stored[2].email) = ("c", "b")
        try context.save()
        #expect(try members(store).map(\.note) == ["new", "c", "b"])
        #expect(try members(store).map(\.email) == ["a", "b", "c"])
        Member("a", in: context)
        expectError(.constraintConflict) { try context.save() }
    }

    @Test(arguments: Backend.strictCases) func aConstraintHoldsBetweenTheEntitiesOfAHierarchy(_ backend: Backend) throws
    {
        let store = try store(backend)
        let context = store.context()
        let officer = Officer(context: context)
        (officer.email, officer.title) = ("a", "president")
        try context.save()
        let member = Member("a", in: context)
        let error = expectError(.constraintConflict) { try context.save() }
        #expect(error?.constraintConflicts.first?.databaseObjectID == officer.objectID)
        context.delete(member)
        let other = Officer(context: context)
        other.title = "president"
        #expect(
            expectError(.constraintConflict) { try context.save() }?.constraintConflicts.first?.constraint == ["title"])
    }

    @Test(arguments: Backend.strictCases) func batchRequestsKeepConstraints(_ backend: Backend) throws {
        let store = try store(backend)
        let context = store.context()
        for email in ["a", "b"] { Member(email, in: context) }
        try context.save()
        expectError(.constraintConflict) {
            try context.execute(BatchUpdateRequest(Member.self, set: ["email": "c"]))
        }
        expectError(.constraintConflict) {
            try context.execute(BatchInsertRequest(entityName: "Member", objects: [["email": "c"], ["email": "a"]]))
        }
        #expect(try members(store).map(\.email) == ["a", "b"])
    }

    @Test(arguments: Backend.allCases.filter { $0.server != .strict })
    func aBatchUpdateMayTakeTheValuesOfOthers(_ backend: Backend) throws {
        let store = try store(backend)
        let context = store.context()
        for number in 1...3 {
            let member = Member("\(number)", in: context)
            (member.club, member.number) = ("chess", Int64(number))
        }
        try context.save()
        _ = try context.execute(BatchUpdateRequest(Member.self, set: ["number": .attribute("number") + 1]))
        #expect(try members(store).map(\.number) == [2, 3, 4])
        expectError(.constraintConflict) {
            let request = BatchUpdateRequest(
                Member.self, set: ["number": .attribute("number") + 1],
                predicate: .compare("number", .less, 4))
            _ = try context.execute(request)
        }
        #expect(try members(store).map(\.number) == [2, 3, 4])
        // The constraints still hold.
        let fourth = Member("4", in: context)
        (fourth.club, fourth.number) = ("chess", 4)
        expectError(.constraintConflict) { try context.save() }
    }

    // MARK: Merge policies

    @Test(arguments: Backend.strictCases, [MergePolicy.MergeType.mergeByPropertyStoreTrump, .rollback])
    func whereTheStoreWinsTheNewObjectGoes(_ backend: Backend, _ policy: MergePolicy.MergeType) throws {
        let store = try store(backend)
        let context = store.context()
        context.mergePolicy = MergePolicy(policy)
        let stored = Member("a", note: "stored", in: context)
        try context.save()
        let new = [Member("a", note: "new", in: context), Member("b", in: context)]
        try context.save()
        #expect(new[0].managedObjectContext == nil && new[1].managedObjectContext === context)
        #expect(stored.note == "stored" && !context.hasChanges)
        #expect(try members(store).map(\.note) == ["stored", nil])
    }

    @Test(arguments: Backend.strictCases, [MergePolicy.MergeType.mergeByPropertyStoreTrump, .rollback])
    func whereTheStoreWinsAChangedObjectKeepsItsValue(_ backend: Backend, _ policy: MergePolicy.MergeType) throws {
        let store = try store(backend)
        let context = store.context()
        context.mergePolicy = MergePolicy(policy)
        let stored = ["a", "b"].map { Member($0, note: $0, in: context) }
        try context.save()
        stored[1].email = "a"
        stored[1].note = "changed"
        try context.save()
        let note = policy == .rollback ? "b" : "changed"
        #expect(stored[1].email == "b" && stored[1].note == note && !context.hasChanges)
        #expect(try members(store).map(\.note) == ["a", note])
    }

    @Test(arguments: Backend.strictCases, [MergePolicy.MergeType.mergeByPropertyObjectTrump, .overwrite])
    func whereTheContextWinsTheStoredObjectTakesTheNewValues(
        _ backend: Backend, _ policy: MergePolicy.MergeType
    ) throws {
        let store = try store(backend)
        let other = store.context()
        let stored = Member("a", note: "stored", in: other)
        stored.number = 7
        try other.save()
        let context = store.context()
        context.mergePolicy = MergePolicy(policy)
        let new = Member("a", note: "new", in: context)
        try context.save()
        #expect(new.managedObjectContext == nil && !context.hasChanges)
        let found = try members(store)
        #expect(found.map(\.objectID) == [stored.objectID] && found.map(\.note) == ["new"])
        #expect(found[0].number == (policy == .overwrite ? nil : 7))
    }

    @Test(arguments: Backend.strictCases, [MergePolicy.MergeType.mergeByPropertyObjectTrump, .overwrite])
    func whereTheContextWinsAChangedObjectDisplacesTheStoredOne(
        _ backend: Backend, _ policy: MergePolicy.MergeType
    ) throws {
        let store = try store(backend)
        let context = store.context()
        context.mergePolicy = MergePolicy(policy)
        let stored = ["a", "b"].map { Member($0, note: $0, in: context) }
        try context.save()
        stored[1].email = "a"
        try context.save()
        #expect(stored[0].managedObjectContext == nil && !context.hasChanges)
        #expect(try members(store).map(\.note) == ["b"])
    }

    @Test(
        arguments: Backend.strictCases,
        [
            (MergePolicy.MergeType.mergeByPropertyStoreTrump, "first"), (.rollback, "first"),
            (.mergeByPropertyObjectTrump, "last"), (.overwrite, "last"),
        ])
    func oneOfSeveralInASaveIsKept(_ backend: Backend, _ expected: (MergePolicy.MergeType, String)) throws {
        let store = try store(backend)
        let context = store.context()
        context.mergePolicy = MergePolicy(expected.0)
        for note in ["first", "second", "last"] { Member("a", note: note, in: context) }
        try context.save()
        #expect(try members(store).map(\.note) == [expected.1] && !context.hasChanges)
    }

    @Test(arguments: Backend.strictCases) func anImportUpdatesWhatIsThere(_ backend: Backend) throws {
        let store = try store(backend)
        let context = store.context()
        context.mergePolicy = .mergeByPropertyObjectTrump
        for number in 0..<500 where number % 2 == 0 { Member("\(number)", note: "old", in: context) }
        try context.save()
        for number in 0..<500 { Member("\(number)", note: "new", in: context) }
        try context.save()
        #expect(try members(store).count == 500 && members(store).allSatisfy { $0.note == "new" })
    }

    /// Deletes an object before it settles the first conflict.
    private final class Deleting: MergePolicy, @unchecked Sendable {
        private let delete: () throws -> Void
        private var isDone = false

        init(_ type: MergeType, _ delete: @escaping () throws -> Void) {
            self.delete = delete
            super.init(type)
        }

        override func resolve(
            constraintConflicts conflicts: [ConstraintConflict], in context: ManagedObjectContext
        ) throws(StoreError) {
            if !isDone { #expect(throws: Never.self) { try delete() } }
            isDone = true
            try super.resolve(constraintConflicts: conflicts, in: context)
        }
    }

    @Test(arguments: Backend.strictCases, MergePolicy.MergeType.allCases.filter { $0 != .error })
    func aHolderMayGoBeforeItsConflictIsSettled(_ backend: Backend, _ policy: MergePolicy.MergeType) throws {
        let store = try store(backend)
        let other = store.context()
        let stored = Member("a", note: "stored", in: other)
        try other.save()
        let context = store.context()
        context.mergePolicy = Deleting(policy) {
            other.delete(stored)
            try other.save()
        }
        let new = [Member("a", note: "new", in: context), Member("b", in: context)]
        try context.save()
        let isKept = policy == .mergeByPropertyObjectTrump || policy == .overwrite
        #expect(try members(store).map(\.email) == (isKept ? ["a", "b"] : ["b"]))
        #expect((new[0].managedObjectContext == nil) != isKept && !context.hasChanges)
    }

    /// Whoever has outdated rows learns nothing about values.
    @Test(arguments: Backend.strictCases) func outdatedVersionsComeBeforeSharedValues(_ backend: Backend) throws {
        let store = try store(backend)
        let context = store.context()
        let mine = ["a", "b", "c"].map { Member($0, in: context) }
        try context.save()
        let other = store.context()
        let theirs = try other.fetch(FetchRequest(Member.self, sortBy: [SortDescriptor(\.email)]))
        (theirs[0].email, theirs[2].email) = ("c", "a")
        try other.save()
        (mine[0].email, mine[1].email) = ("b", "a")
        let error = expectError(.mergeConflict) { try context.save() }
        #expect(error?.conflicts.map(\.objectID) == [mine[0].objectID] && error?.constraintConflicts.isEmpty == true)
    }

    /// Other programs may write versions beyond 32 bits, of which the store knows the lower ones.
    @Test func aVersionOfAnotherFormIsNotOutdated() throws {
        let store = try store(.sqlite)
        let context = store.context()
        let mine = ["a", "b"].map { Member($0, in: context) }
        try context.save()
        try store.database().execute("UPDATE ZMEMBER SET Z_OPT = Z_OPT + 4294967296")
        mine[1].email = "a"
        let error = expectError(.constraintConflict) { try context.save() }
        #expect(error?.constraintConflicts.map(\.databaseObjectID) == [mine[0].objectID])
    }

    @Test(arguments: Backend.strictCases) func writersThatExchangeValuesAreToldOfVersions(_ backend: Backend) throws {
        let store = try store(backend)
        let context = store.context()
        for email in ["a", "b", "c"] { Member(email, in: context) }
        try context.save()
        let codes = Locked<[StoreError.Code]>([])
        DispatchQueue.concurrentPerform(iterations: 2) { writer in
            var random = SeededGenerator(seed: UInt64(writer))
            let context = store.context()
            for _ in 0..<20 {
                do {
                    try context.refreshAllObjects()
                    let members = try context.fetch(FetchRequest(Member.self)).shuffled(using: &random)
                    (members[0].email, members[1].email) = (members[1].email, members[0].email)
                    try context.save()
                } catch {
                    codes.withLock { $0.append((error as? StoreError)?.code ?? .storeFailure) }
                    context.rollback()
                }
            }
        }
        #expect(codes.value.allSatisfy { $0 == .mergeConflict }, "\(codes.value)")
        #expect(try members(store).map(\.email) == ["a", "b", "c"])
    }

    /// A connection knows which keys it gave out last, but not whether a save that failed gave them back, or whether
    /// another connection went on after them.
    @Test(arguments: 0..<8 as Range<UInt64>) func noKeyIsGivenOutTwice(_ seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let store = try store(.sqlite)
        let contexts = [
            store.context(), store.context(),
            ManagedObjectContext(coordinator: try store.secondCoordinator(Member.model())),
        ]
        var given = Set<ManagedObjectID>()
        var (saved, failed) = (0, 0)
        for _ in 0..<60 {
            let context = random.pick(contexts)
            let new = (0...Int(random.next() % 3)).map { _ in Member("\(random.next() % 40)", in: context) }
            do {
                try context.save()
                for member in new { #expect(given.insert(member.objectID).inserted, "\(member.objectID)") }
                saved += new.count
                // What is deleted would make room for a key that is given out again.
                if random.oneIn(2) { context.delete(new[0]) }
                try context.save()
            } catch {
                #expect(error.code == .constraintConflict)
                failed += 1
                context.rollback()
            }
        }
        #expect(saved > 5 && failed > 5)
    }

    @Test func whatAnotherProcessInsertedCollidesToo() throws {
        let store = try store(.sqlite)
        let context = store.context()
        context.mergePolicy = .mergeByPropertyObjectTrump
        let other = ManagedObjectContext(coordinator: try store.secondCoordinator(Member.model()))
        Member("a", note: "theirs", in: other)
        try other.save()
        Member("a", note: "mine", in: context)
        try context.save()
        #expect(try store.database().rows("SELECT ZEMAIL, ZNOTE FROM ZMEMBER") == [["a", "mine"]])
    }

    /// Saves with collisions, swaps, deletions and batches have the same outcome in both stores.
    @Test(arguments: 0..<8 as Range<UInt64>) func bothStoresFindTheSameCollisions(_ seed: UInt64) throws {
        let contexts = try Backend.strictCases.map { try store($0).context() }
        var random = SeededGenerator(seed: seed)
        for step in 0..<60 {
            let decisions = (0..<8).map { _ in Int.random(in: 0..<10_000, using: &random) }
            let outcomes = try contexts.map { try Self.edit($0, decisions) }
            #expect(outcomes[0] == outcomes[1], "step \(step)")
        }
    }

    /// Edits as `decisions` say and saves; what came of it, and what is in the store then.
    private static func edit(_ context: ManagedObjectContext, _ decisions: [Int]) throws -> [String] {
        let members = try context.fetch(FetchRequest(Member.self, sortBy: [SortDescriptor(\.note)]))
        for (index, decision) in decisions.enumerated() {
            let value = ["a", "b", "c", "d", "e", "f"][decision / 10 % 6]
            let member = members.isEmpty ? nil : members[decision / 60 % members.count]
            switch decision % 10 {
            case 0..<4: Member(value, note: "\(members.count)-\(decision)-\(index)", in: context)
            case 4..<7: if let member, !member.isDeleted { member.email = value }
            case 7..<9: if let member { context.delete(member) }
            default: break
            }
        }
        var outcome = ["saved"]
        do {
            try context.save()
        } catch {
            let values = error.constraintConflicts.compactMap { $0.constraintValues["email"].map { "\($0)" } }
            outcome = ["\(error.code)"] + values.sorted()
            context.rollback()
        }
        if decisions[0] % 7 == 0 {
            let doomed = FetchRequest(Member.self, predicate: .compare("email", .equal, "a"))
            _ = try context.execute(BatchDeleteRequest(fetchRequest: doomed))
            try context.refreshAllObjects()
        }
        let left = try context.fetch(FetchRequest(Member.self, sortBy: [SortDescriptor(\.note)]))
        return outcome + left.map { "\($0.email ?? "") \($0.note ?? "")" }
    }
}
