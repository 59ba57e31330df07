import Foundation
import Testing

@testable import ManagedStore

/// Saves that rely on rows that they do not change: targets of references, members of deleted objects, former partners.
@Suite struct SaveRelianceTests {
    typealias Policy = MergePolicy.MergeType

    /// Where two contexts meet: at the store, or at a parent context.
    enum Level: String, CaseIterable, CustomTestStringConvertible {
        case store, parent

        var testDescription: String { rawValue }
    }

    /// Two contexts over one store or one parent; `mine` saves last.
    private struct Meeting {
        let store: TestStore
        let parent: ManagedObjectContext
        let theirs: ManagedObjectContext
        let mine: ManagedObjectContext
        private let level: Level

        init(_ backend: Backend, _ policy: Policy, _ level: Level = .store) throws {
            let store = try Workshop.store(backend)
            let parent = store.context()
            func context() throws -> ManagedObjectContext {
                level == .store
                    ? store.context() : try ManagedObjectContext(concurrencyType: .confinement, parent: parent)
            }
            theirs = try context()
            mine = try context()
            (self.store, self.parent, self.level) = (store, parent, level)
            mine.mergePolicy = MergePolicy(policy)
        }

        func seed<Result>(_ body: (ManagedObjectContext) throws -> Result) throws -> Result {
            let result = try body(parent)
            try parent.save()
            return result
        }

        func saveTheirs() throws { try theirs.save() }

        /// Saves, and expects that nothing is wrong with what the store has then.
        func saveMine(sourceLocation: SourceLocation = #_sourceLocation) throws {
            defer { checkStore(sourceLocation) }
            try mine.save()
        }

        func checkStore(_ sourceLocation: SourceLocation = #_sourceLocation) {
            do {
                if level == .parent { try parent.save() }
                #expect(try StoreConsistency.faults(store.coordinator) == [], sourceLocation: sourceLocation)
            } catch {
                Issue.record("\(error)", sourceLocation: sourceLocation)
            }
        }

        /// An object as the store has it now, for a context that has read nothing yet; nil if it is gone.
        func stored(_ object: ManagedObject) throws -> ManagedObject? {
            if level == .parent, parent.hasChanges { try parent.save() }
            return try? store.context().existingObject(with: object.objectID)
        }

        func stored(_ object: ManagedObject, _ key: String) throws -> ManagedObjectID? {
            let context = store.context()
            return try context.existingObject(with: object.objectID).one(key)?.objectID
        }
    }

    private static let contextWins: [Policy] = [.mergeByPropertyObjectTrump, .overwrite]
    private static let storeWins: [Policy] = [.mergeByPropertyStoreTrump, .rollback]

    // MARK: One to one

    /// They have given the partner of which I know nothing to another one, whom I have read before.
    private func partners(_ backend: Backend, _ policy: Policy) throws -> (Meeting, [ManagedObject]) {
        let meeting = try Meeting(backend, policy)
        let things = try meeting.seed { context in
            let bin = try context.make("Bin")
            return try (0..<3).map { _ in try context.make("Thing", ["bin": bin]) }
        }
        let mine = try things[0...1].map { try meeting.mine.own($0) }
        #expect(try mine[0].one("peer") == nil)
        try meeting.theirs.own(things[0]).setValue(try meeting.theirs.own(things[2]), forKey: "peer")
        try meeting.saveTheirs()
        try mine[1].setValue(try meeting.mine.own(things[2]), forKey: "peer")
        return (meeting, mine + [try meeting.mine.own(things[2])])
    }

    @Test(arguments: Backend.allCases) func takingAPartnerGivenAwayElsewhereIsAConflict(_ backend: Backend) throws {
        let (meeting, things) = try partners(backend, .error)
        let error = expectError(.mergeConflict) { try meeting.saveMine() }
        let conflict = try #require(error?.conflicts.first)
        #expect(error?.conflicts.count == 1 && conflict.objectID == things[0].objectID)
        #expect(conflict.oldVersion == 1 && conflict.newVersion == 2)
        #expect(conflict.objectSnapshot?["peer"] == .null)
        #expect(conflict.cachedSnapshot?["peer"] == .objectID(things[2].objectID))
    }

    @Test(arguments: Backend.allCases, contextWins)
    func whereTheContextWinsTheFormerPartnerIsAlone(_ backend: Backend, _ policy: Policy) throws {
        let (meeting, things) = try partners(backend, policy)
        try meeting.saveMine()
        #expect(try things[1].one("peer") === things[2] && things[2].one("peer") === things[1])
        #expect(try things[0].one("peer") == nil && things[0].row.version == 3)
        #expect(try meeting.stored(things[0], "peer") == nil)
    }

    @Test(arguments: Backend.allCases, storeWins)
    func whereTheStoreWinsThePartnersStayTogether(_ backend: Backend, _ policy: Policy) throws {
        let (meeting, things) = try partners(backend, policy)
        try meeting.saveMine()
        #expect(try things[0].one("peer") === things[2] && things[2].one("peer") === things[0])
        #expect(try things[1].one("peer") == nil && !meeting.mine.hasChanges)
        #expect(try meeting.stored(things[0], "peer") == things[2].objectID)
    }

    /// I do not know that the one that I leave is my partner's.
    @Test(arguments: Backend.allCases, Policy.allCases)
    func leavingAPartnerChecksWhetherItLetsGo(_ backend: Backend, _ policy: Policy) throws {
        let meeting = try Meeting(backend, policy)
        let things = try meeting.seed { context in
            let bin = try context.make("Bin")
            return try (0..<3).map { _ in try context.make("Thing", ["bin": bin]) }
        }
        let stale = try meeting.mine.own(things[2])
        #expect(try stale.one("peer") == nil)
        try meeting.theirs.own(things[0]).setValue(try meeting.theirs.own(things[2]), forKey: "peer")
        try meeting.saveTheirs()
        let mine = try things[0...1].map { try meeting.mine.own($0) }
        try mine[0].setValue(mine[1], forKey: "peer")
        if policy == .error {
            let error = expectError(.mergeConflict) { try meeting.saveMine() }
            #expect(error?.conflicts.map(\.objectID) == [stale.objectID])
            return
        }
        try meeting.saveMine()
        let wins = Self.contextWins.contains(policy)
        #expect(try meeting.stored(things[0], "peer") == (wins ? things[1] : things[2]).objectID)
        #expect(try meeting.stored(things[2], "peer") == (wins ? nil : things[0].objectID))
        #expect(try stale.one("peer") === (wins ? nil : mine[0]))
    }

    // MARK: References to what is gone

    @Test(arguments: Backend.allCases, Level.allCases)
    func aReferenceToADeletedObjectIsAConflict(_ backend: Backend, _ level: Level) throws {
        let meeting = try Meeting(backend, .error, level)
        let bin = try meeting.seed { try $0.make("Drawer") }
        let mine = try meeting.mine.own(bin)
        meeting.theirs.delete(try meeting.theirs.own(bin))
        try meeting.saveTheirs()
        _ = try meeting.mine.make("Thing", ["bin": mine])
        let error = expectError(.mergeConflict) { try meeting.saveMine() }
        #expect(error?.conflicts.map(\.objectID) == [bin.objectID] && error?.conflicts.first?.newVersion == 0)
        #expect(error?.message.contains("refers to") == true)
        #expect(meeting.mine.hasChanges)
    }

    @Test(arguments: Backend.allCases, Policy.allCases.filter { $0 != .error })
    func aNewObjectIsNotSavedWithoutWhatItNeeds(_ backend: Backend, _ policy: Policy) throws {
        for level in Level.allCases {
            let meeting = try Meeting(backend, policy, level)
            let bin = try meeting.seed { try $0.make("Bin") }
            let mine = try meeting.mine.own(bin)
            meeting.theirs.delete(try meeting.theirs.own(bin))
            try meeting.saveTheirs()
            let thing = try meeting.mine.make("Thing", ["bin": mine])
            let error = expectError(.validationMissingMandatoryProperty) { try meeting.saveMine() }
            #expect(error?.objectID == thing.objectID && error?.key == "bin")
            try thing.setValue(try meeting.mine.make("Bin"), forKey: "bin")
            try meeting.saveMine()
        }
    }

    @Test(arguments: Backend.allCases, Policy.allCases.filter { $0 != .error })
    func aMoveToADeletedObjectIsTakenBackOrLeadsNowhere(_ backend: Backend, _ policy: Policy) throws {
        for level in Level.allCases {
            let meeting = try Meeting(backend, policy, level)
            let (thing, shelves) = try meeting.seed { context in
                let shelves = try [context.make("Shelf"), context.make("Shelf")]
                return (try context.make("Thing", ["bin": context.make("Bin"), "shelf": shelves[0]]), shelves)
            }
            let mine = try meeting.mine.own(thing)
            let own = try shelves.map { try meeting.mine.own($0) }
            try mine.setValue(own[1], forKey: "shelf")
            meeting.theirs.delete(try meeting.theirs.own(shelves[1]))
            try meeting.saveTheirs()
            try meeting.saveMine()
            let stays = Self.storeWins.contains(policy)
            #expect(try mine.one("shelf") === (stays ? own[0] : nil) && own[0].many("parts") == (stays ? [mine] : []))
            #expect(try meeting.stored(thing, "shelf") == (stays ? shelves[0].objectID : nil))
            #expect(own[1].managedObjectContext == nil && !meeting.mine.hasChanges)
        }
    }

    @Test(arguments: Backend.allCases, Policy.allCases)
    func aLinkToADeletedObjectIsAConflictOrDropped(_ backend: Backend, _ policy: Policy) throws {
        for level in Level.allCases {
            let meeting = try Meeting(backend, policy, level)
            let (thing, labels) = try meeting.seed { context in
                (
                    try context.make("Thing", ["bin": context.make("Bin")]),
                    try [context.make("Label"), context.make("Label")]
                )
            }
            let (mine, own) = (try meeting.mine.own(thing), try labels.map { try meeting.mine.own($0) })
            meeting.theirs.delete(try meeting.theirs.own(labels[1]))
            try meeting.saveTheirs()
            try mine.setValue(Set(own), forKey: "labels")
            if policy == .error {
                let error = expectError(.mergeConflict) { try meeting.saveMine() }
                #expect(error?.conflicts.map(\.objectID) == [labels[1].objectID])
            } else {
                try meeting.saveMine()
                #expect(try mine.many("labels") == [own[0]])
            }
            if backend == .sqlite {
                let store = try meeting.store.coordinator.requireStore()
                #expect(try StoreConsistency.faults(in: meeting.store.database(), of: store) == [])
            }
        }
    }

    // MARK: Deletions of what others refer to

    /// They have made a member of what I delete.
    private func deletion(
        _ backend: Backend, _ level: Level, _ policy: Policy, of owner: String,
        _ member: @escaping (ManagedObjectContext, ManagedObject) throws -> ManagedObject
    ) throws -> (Meeting, owner: ManagedObject, member: ManagedObject) {
        let meeting = try Meeting(backend, policy, level)
        let owner = try meeting.seed { try $0.make(owner) }
        let mine = try meeting.mine.own(owner)
        // As the context knows it, there is no member.
        for key in owner.entity.relationshipsByName.keys { #expect(try mine.many(key) == []) }
        meeting.mine.delete(mine)
        let member = try member(meeting.theirs, try meeting.theirs.own(owner))
        try meeting.saveTheirs()
        return (meeting, mine, member)
    }

    private static let members:
        [(owner: String, make: @Sendable (ManagedObjectContext, ManagedObject) throws -> ManagedObject)] =
            [
                ("Bin", { try $0.make("Thing", ["bin": $1]) }),
                ("Drawer", { try $0.make("Thing", ["bin": $1]) }),
                ("Shelf", { try $0.make("Thing", ["bin": $0.make("Bin"), "shelf": $1]) }),
                ("Shelf", { try $0.make("Crate", ["shelf": $1]) }),
                ("Owner", { try $0.make("Thing", ["bin": $0.make("Bin"), "owners": Set([$1])]) }),
            ]

    @Test(arguments: Backend.allCases, Level.allCases)
    func deletingWhatHasGotANewMemberIsAConflict(_ backend: Backend, _ level: Level) throws {
        for (owner, make) in Self.members {
            let (meeting, own, member) = try deletion(backend, level, .error, of: owner, make)
            let error = expectError(.mergeConflict) { try meeting.saveMine() }
            let conflict = try #require(error?.conflicts.first, "\(owner)")
            #expect(conflict.objectID == own.objectID && conflict.newVersion == conflict.oldVersion)
            #expect(try meeting.stored(own) != nil && meeting.stored(member) != nil && own.isDeleted)
        }
    }

    @Test(arguments: Backend.allCases, storeWins)
    func whereTheStoreWinsTheDeletionIsWithdrawn(_ backend: Backend, _ policy: Policy) throws {
        for (level, (owner, make)) in Level.allCases.flatMap({ level in Self.members.map { (level, $0) } }) {
            let (meeting, own, member) = try deletion(backend, level, policy, of: owner, make)
            try meeting.saveMine()
            #expect(!own.isDeleted && !meeting.mine.hasChanges)
            #expect(try meeting.stored(own) != nil && meeting.stored(member) != nil)
        }
    }

    @Test(arguments: Backend.allCases, contextWins)
    func whereTheContextWinsTheDeleteRuleIsFollowed(_ backend: Backend, _ policy: Policy) throws {
        for (level, (owner, make)) in Level.allCases.flatMap({ level in Self.members.map { (level, $0) } }) {
            let (meeting, own, member) = try deletion(backend, level, policy, of: owner, make)
            if owner != "Shelf" {
                let error = expectError(.validationRelationshipDeniedDelete) { try meeting.saveMine() }
                #expect(error?.objectID == own.objectID)
                continue
            }
            try meeting.saveMine()
            #expect(try meeting.stored(own) == nil)
            #expect(try (meeting.stored(member) == nil) == (member.entity.name == "Crate"))
        }
    }

    // MARK: Plain SQL

    @Test func whatAnotherProcessWroteByPlainSQLIsSeen() throws {
        let meeting = try Meeting(.sqlite, .error)
        let (thing, bins) = try meeting.seed { context in
            let bins = try [context.make("Bin"), context.make("Bin")]
            return (try context.make("Thing", ["bin": bins[0]]), bins)
        }
        let bin = try meeting.mine.own(bins[1])
        #expect(try bin.many("things") == [])
        meeting.mine.delete(bin)
        let database = try meeting.store.database()
        try database.execute("UPDATE ZTHING SET ZBIN = \(bins[1].row.key) WHERE Z_PK = \(thing.row.key)")
        expectError(.mergeConflict) { try meeting.saveMine() }
        meeting.mine.rollback()
        try database.execute("DELETE FROM ZTHING")
        try database.execute("DELETE FROM ZBIN WHERE Z_PK = \(bins[1].row.key)")
        _ = try meeting.mine.make("Thing", ["bin": try meeting.mine.own(bins[1])])
        expectError(.mergeConflict) { try meeting.saveMine() }
    }

    @Test func aTargetOfAnotherEntityIsNone() throws {
        let meeting = try Meeting(.sqlite, .error)
        let bin = try meeting.seed { try $0.make("Bin") }
        _ = try meeting.mine.make("Thing", ["bin": try meeting.mine.own(bin)])
        try meeting.store.database().execute(
            "UPDATE ZBIN SET Z_ENT = (SELECT Z_ENT FROM Z_PRIMARYKEY WHERE Z_NAME = 'Drawer')")
        let error = expectError(.mergeConflict) { try meeting.saveMine() }
        #expect(error?.conflicts.map(\.objectID) == [bin.objectID])
    }

    // MARK: What was never saved

    @Test(arguments: Backend.allCases) func aReferenceToADiscardedObjectIsSavedAsNone(_ backend: Backend) throws {
        let store = try Workshop.store(backend)
        let context = store.context()
        let label = try context.make("Label")
        let thing = try context.make("Thing", ["bin": context.make("Bin"), "mark": label])
        context.delete(label)
        try context.save()
        #expect(try thing.one("mark") == nil)
        let fresh = store.context()
        #expect(try fresh.own(thing).one("mark") == nil)
        if backend == .sqlite { #expect(try store.database().value("SELECT ZMARK FROM ZTHING") == nil) }
    }

    // MARK: What the errors advise

    private func thingAndShelf(_ meeting: Meeting) throws -> (thing: ManagedObject, shelf: ManagedObject) {
        try meeting.seed { context in
            (try context.make("Thing", ["bin": try context.make("Bin")]), try context.make("Shelf"))
        }
    }

    @Test(arguments: Backend.allCases) func whatAConflictOverAReferenceAdvisesHelps(_ backend: Backend) throws {
        let meeting = try Meeting(backend, .error)
        let (thing, shelf) = try thingAndShelf(meeting)
        let mine = try meeting.mine.own(thing)
        try mine.setValue(try meeting.mine.own(shelf), forKey: "shelf")
        meeting.theirs.delete(try meeting.theirs.own(shelf))
        try meeting.saveTheirs()
        let error = expectError(.mergeConflict) { try meeting.mine.save() }
        #expect(error?.message.contains("set the reference to another object or to nil, or roll back") == true)
        try mine.setValue(nil, forKey: "shelf")
        try meeting.saveMine()
    }

    @Test(arguments: Backend.allCases) func whatAConflictOverADeletionAdvisesHelps(_ backend: Backend) throws {
        let meeting = try Meeting(backend, .error)
        let (thing, shelf) = try thingAndShelf(meeting)
        meeting.mine.delete(try meeting.mine.own(shelf))
        try meeting.theirs.own(thing).setValue(try meeting.theirs.own(shelf), forKey: "shelf")
        try meeting.saveTheirs()
        let error = expectError(.mergeConflict) { try meeting.mine.save() }
        #expect(error?.message.contains("roll back, and delete it again") == true)
        meeting.mine.rollback()
        meeting.mine.delete(try meeting.mine.own(shelf))
        try meeting.saveMine()
    }

    @Test(arguments: Backend.allCases) func whatAConflictOverAPartnerAdvisesHelps(_ backend: Backend) throws {
        let meeting = try Meeting(backend, .error)
        let things = try meeting.seed { context in
            try (0..<3).map { _ in try context.make("Thing", ["bin": try context.make("Bin")]) }
        }
        let mine = try things.map(meeting.mine.own)
        try meeting.theirs.own(things[0]).setValue(try meeting.theirs.own(things[2]), forKey: "peer")
        try meeting.saveTheirs()
        // What is refreshed first shows that there is another one to refresh.
        for _ in 0..<2 {
            try mine[1].setValue(mine[2], forKey: "peer")
            let error = expectError(.mergeConflict) { try meeting.mine.save() }
            #expect(error?.message.contains("refresh(_:mergeChanges:) with the object") == true)
            for conflict in error?.conflicts ?? [] {
                try meeting.mine.refresh(meeting.mine.object(with: conflict.objectID), mergeChanges: false)
            }
            meeting.mine.rollback()
        }
        try mine[1].setValue(mine[2], forKey: "peer")
        try meeting.saveMine()
    }

    @Test(arguments: Backend.allCases) func whatAConflictOverADeletedObjectAdvisesHelps(_ backend: Backend) throws {
        let store = try TestStore(backend)
        let (context, items) = try store.contextWithItems(2)
        let other = store.context()
        other.delete(try other.item(items[0].objectID))
        try other.save()
        for item in items { item.name = "mine" }
        let error = expectError(.mergeConflict) { try context.save() }
        #expect(error?.message.contains("refresh(_:mergeChanges: true)") == true)
        try context.refresh(items[0], mergeChanges: true)
        #expect(items[0].managedObjectContext == nil)
        try context.save()
        #expect(try store.context().items().map(\.name) == ["mine"])
    }

    @Test func severalConflictsAreNamed() throws {
        let store = try TestStore()
        let (context, items) = try store.contextWithItems(5)
        let other = store.context()
        for item in try other.items() { item.name += "!" }
        try other.save()
        for item in items { item.name = "mine" }
        let message = expectError(.mergeConflict) { try context.save() }?.message ?? ""
        #expect(message.contains("/p3 was saved as version 2"), "\(message)")
        #expect(message.contains("and 2 more conflicts"), "\(message)")
    }
}
