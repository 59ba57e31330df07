import Foundation
import TestSupport
import Testing

@testable import ManagedStore

/// Objects with long values, of which a change concerns one: the others stay where they are and what they are.
@Suite struct WideObjectTests {
    private static let backends = [Backend.sqlite, .inMemory]

    private func onlyLetter(_ store: TestStore) throws -> (ManagedObjectContext, Letter) {
        let context = store.context()
        return (context, try #require(try context.letters().first))
    }

    /// Expects that a letter and the store have `contents`.
    private func expect(
        _ letter: Letter, _ contents: Letter.Contents, in store: TestStore,
        _ location: SourceLocation = #_sourceLocation
    ) throws {
        #expect(letter.contents == contents, sourceLocation: location)
        letter.managedObjectContext?._checkInvariants()
        let fresh = try store.context().existingObject(with: letter.objectID) as? Letter
        #expect(fresh?.contents == contents, sourceLocation: location)
    }

    @Test(arguments: backends) func aChangeMovesNoOtherValue(_ backend: Backend) throws {
        let store = try Letter.store(backend, count: 1)
        let (context, letter) = try onlyLetter(store)
        let address = letter.bodyAddress
        var contents = Letter.Contents(0)
        contents.stamp = 7
        letter.stamp = 7
        #expect(letter.contents == contents && letter.bodyAddress == address)
        #expect(letter.changedValues() == ["stamp": .integer64(7)])
        #expect(try letter.committedValues(forKeys: ["body"]) == ["body": .string(contents.body)])
        try context.save()
        #expect(letter.bodyAddress == address)
        try expect(letter, contents, in: store)
        (letter.attachment, contents.attachment) = (Data(), Data())
        try context.save()
        #expect(letter.bodyAddress == address)
        try expect(letter, contents, in: store)
    }

    @Test(arguments: backends) func everyValueCanChangeAndComeBack(_ backend: Backend) throws {
        let store = try Letter.store(backend, count: 1)
        let (context, letter) = try onlyLetter(store)
        var contents = Letter.Contents(0)
        for text in ["", "123456789012345", "1234567890123456", String(repeating: "long ", count: 100)] {
            letter.stamp += 1
            (letter.fifteen, letter.body, letter.missing) = (text, text, text)
            #expect(letter.fifteen == text && letter.body == text && letter.missing == text)
            #expect(letter.sixteen == contents.sixteen && letter.attachment == contents.attachment)
            context.rollback()
            try expect(letter, contents, in: store)
            (letter.sixteen, letter.missing) = (text, nil)
            try context.save()
            contents.sixteen = text
            try expect(letter, contents, in: store)
        }
    }

    @Test(arguments: backends) func undoAndRedoKeepTheOtherValues(_ backend: Backend) throws {
        let store = try Letter.store(backend, count: 1)
        let (context, letter) = try onlyLetter(store)
        context.undoManager = UndoManager()
        let contents = Letter.Contents(0)
        letter.body = "short"
        context.processPendingChanges()
        letter.stamp = 9
        context.undo()
        context.undo()
        #expect(letter.contents == contents)
        context.redo()
        try context.save()
        #expect(letter.body == "short" && letter.attachment == contents.attachment)
        context.undo()
        try context.save()
        try expect(letter, contents, in: store)
        context.delete(letter)
        try context.save()
        context.undo()
        try context.save()
        try expect(letter, contents, in: store)
    }

    @Test(arguments: backends) func refreshingKeepsTheOtherValues(_ backend: Backend) throws {
        let store = try Letter.store(backend, count: 2)
        let context = store.context()
        let letters = try context.letters()
        var contents = Letter.Contents(0)
        letters[0].stamp = -1
        try context.refresh(letters[0], mergeChanges: false)
        try expect(letters[0], contents, in: store)
        // The other writer's values lie on a page of its own, which ends with it.
        do {
            let (others, other) = try onlyLetter(store)
            other.body += "theirs"
            contents.body = other.body
            try others.save()
        }
        letters[0].stamp = -2
        context.stalenessInterval = 0
        try context.refresh(letters[0], mergeChanges: true)
        contents.stamp = -2
        #expect(letters[0].contents == contents)
        try context.save()
        try expect(letters[0], contents, in: store)
        try context.refreshAllObjects()
        try expect(letters[0], contents, in: store)
        try expect(letters[1], Letter.Contents(1), in: store)
    }

    /// A fetch that refreshes gives the object a new row, and the old one goes.
    @Test(arguments: backends) func refetchingKeepsTheOtherValues(_ backend: Backend) throws {
        let store = try Letter.store(backend, count: 3)
        let context = store.context()
        let letters = try context.letters()
        var request = FetchRequest(Letter.self, sortBy: [SortDescriptor(\.stamp)])
        request.shouldRefreshRefetchedObjects = true
        for round in 1...5 {
            letters[0].stamp = Int64(-round)
            _ = try context.fetch(request)
            var contents = Letter.Contents(0)
            contents.stamp = Int64(-round)
            #expect(letters[0].contents == contents)
            try context.save()
            _ = try context.fetch(request)
            try expect(letters[0], contents, in: store)
        }
    }

    /// Two contexts share rows through the cache; what one inherits from outlives the other.
    @Test(arguments: backends) func valuesOutliveTheContextThatReadThem(_ backend: Backend) throws {
        let store = try Letter.store(backend, count: 1)
        let context = store.context()
        let letter: Letter
        do {
            let (_, other) = try onlyLetter(store)
            letter = try #require(try context.existingObject(with: other.objectID) as? Letter)
            #expect(letter.bodyAddress == other.bodyAddress)
        }
        #expect(letter.contents == Letter.Contents(0) && letter.inheritedByteCount > 0)
        letter.stamp = 5
        try context.save()
        var contents = Letter.Contents(0)
        contents.stamp = 5
        try expect(letter, contents, in: store)
    }

    @Test(arguments: backends) func mergesPutChangesOverInheritedValues(_ backend: Backend) throws {
        let store = try Letter.store(backend, count: 1)
        let (context, letter) = try onlyLetter(store)
        let (others, other) = try onlyLetter(store)
        var contents = Letter.Contents(0)
        for round in 1...5 {
            letter.stamp = Int64(round)
            other.attachment = Data(repeating: UInt8(round), count: 100 * round)
            let recorder = NotificationRecorder(ManagedObjectContext.didSaveObjectsNotification, from: others)
            try others.save()
            let message = try #require(recorder.notifications.first.flatMap { ContextDidSave($0) })
            try context.mergeChanges(fromContextDidSave: message)
            (contents.stamp, contents.attachment) = (letter.stamp, other.attachment)
            #expect(letter.contents == contents && letter.hasChanges)
            try context.save()
            try expect(letter, contents, in: store)
            try others.refresh(other, mergeChanges: false)
            #expect(other.contents == contents)
        }
    }

    @Test(arguments: backends, MergePolicy.MergeType.allCases)
    func conflictsKeepTheOtherValues(_ backend: Backend, _ policy: MergePolicy.MergeType) throws {
        let store = try Letter.store(backend, count: 1)
        let (context, letter) = try onlyLetter(store)
        context.mergePolicy = MergePolicy(policy)
        let (others, other) = try onlyLetter(store)
        letter.body = "mine"
        (other.stamp, other.sixteen) = (3, String(repeating: "theirs", count: 9))
        try others.save()
        var contents = Letter.Contents(0)
        switch policy {
        case .error:
            #expect(throws: StoreError.self) { try context.save() }
            contents.body = "mine"
            #expect(letter.contents == contents)
            return context._checkInvariants()
        case .overwrite: contents.body = "mine"
        case .rollback: (contents.stamp, contents.sixteen) = (3, other.sixteen)
        case .mergeByPropertyObjectTrump, .mergeByPropertyStoreTrump:
            (contents.stamp, contents.sixteen, contents.body) = (3, other.sixteen, "mine")
        }
        try context.save()
        try expect(letter, contents, in: store)
    }

    @Test(arguments: backends) func childContextsSeeAndSaveInheritedValues(_ backend: Backend) throws {
        let store = try Letter.store(backend, count: 1)
        let (parent, letter) = try onlyLetter(store)
        letter.stamp = 4
        let child = try ManagedObjectContext(concurrencyType: .confinement, parent: parent)
        let mine = try #require(try child.letters().first)
        var contents = Letter.Contents(0)
        contents.stamp = 4
        #expect(mine.contents == contents)
        for round in 1...3 {
            mine.sixteen = String(repeating: "child", count: 10 * round)
            try child.save()
            contents.sixteen = mine.sixteen
            #expect(mine.contents == contents && letter.contents == contents)
            child._checkInvariants()
            try parent.save()
            try expect(letter, contents, in: store)
        }
    }

    @Test(arguments: backends) func aDeletedObjectKeepsItsValues(_ backend: Backend) throws {
        let store = try Letter.store(backend, count: 2)
        let context = store.context()
        let letters = try context.letters()
        for letter in letters { letter.fifteen = "" }
        try context.save()
        letters[0].stamp = 8
        context.delete(letters[0])
        try context.save()
        #expect(letters[0].body == Letter.Contents(0).body && letters[0].managedObjectContext == nil)
        letters[0].body = "never saved"
        #expect(letters[0].attachment == Letter.Contents(0).attachment)
        context.delete(letters[1])
        context.rollback()
        #expect(letters[1].body == Letter.Contents(1).body)
        #expect(try store.context().letters().count == 1)
    }
}
