import Foundation
import TestSupport
import Testing

@testable import ManagedStore

/// Random changes to objects with long values, against plain values.
@Suite struct RandomWideObjectTests {
    private final class World {
        let store: TestStore
        let writer: ManagedObjectContext
        let reader: ManagedObjectContext
        var random: SeededGenerator
        private var letters: [Letter] = []
        private var readers: [Letter] = []
        private var saved: [Letter.Contents] = []
        private var unsaved: [Letter.Contents] = []

        init(_ backend: Backend, _ seed: UInt64) throws {
            random = SeededGenerator(seed: seed)
            store = try Letter.store(backend, count: 40)
            (writer, reader) = (store.context(), store.context())
            letters = try writer.letters()
            readers = try letters.map { [reader] in try #require(reader.object(with: $0.objectID) as? Letter) }
            saved = letters.map(\.contents)
            unsaved = saved
        }

        func step() throws {
            let index = Int.random(in: letters.indices, using: &random)
            switch Int.random(in: 0..<20, using: &random) {
            case 0, 1: try save()
            case 2:
                writer.rollback()
                unsaved = saved
            case 3:
                try writer.refresh(letters[index], mergeChanges: false)
                unsaved[index] = saved[index]
            case 4: try writer.refresh(letters[index], mergeChanges: true)
            case 5: try writer.refreshAllObjects()
            case 6: try refetch()
            case 7: try reader.refreshAllObjects()
            case 8:
                readers[index].stamp = -1
                #expect(readers[index].body == saved[index].body)
                reader.rollback()
            default:
                change(&unsaved[index])
                assign(unsaved[index], to: letters[index])
            }
            check(index)
        }

        private func change(_ contents: inout Letter.Contents) {
            let count = random.pick([0, 15, 16, 40, 127, 128, 500, 2_000])
            let text = String(repeating: random.pick(["a", "b", "c"]), count: count)
            switch Int.random(in: 0..<6, using: &random) {
            case 0: contents.fifteen = text
            case 1: contents.sixteen = text
            case 2: contents.missing = random.oneIn(2) ? nil : text
            case 3: contents.body = text
            case 4: contents.attachment = Data(text.utf8)
            default: contents.stamp += 1
            }
        }

        /// Sets what differs alone.
        private func assign(_ contents: Letter.Contents, to letter: Letter) {
            let old = letter.contents
            if contents.stamp != old.stamp { letter.stamp = contents.stamp }
            if contents.fifteen != old.fifteen { letter.fifteen = contents.fifteen }
            if contents.sixteen != old.sixteen { letter.sixteen = contents.sixteen }
            if contents.missing != old.missing { letter.missing = contents.missing }
            if contents.body != old.body { letter.body = contents.body }
            if contents.attachment != old.attachment { letter.attachment = contents.attachment }
        }

        private func save() throws {
            let recorder = NotificationRecorder(ManagedObjectContext.didSaveObjectsNotification, from: writer)
            try writer.save()
            saved = unsaved
            if let message = recorder.notifications.first.flatMap({ ContextDidSave($0) }) {
                try reader.mergeChanges(fromContextDidSave: message)
            }
        }

        private func refetch() throws {
            var request = FetchRequest(Letter.self)
            request.shouldRefreshRefetchedObjects = true
            _ = try (random.oneIn(2) ? writer : reader).fetch(request)
        }

        private func check(_ index: Int) {
            #expect(letters[index].contents == unsaved[index])
            #expect(readers[index].contents == saved[index])
            writer._checkInvariants()
            reader._checkInvariants()
        }

        func checkAll() throws {
            try save()
            #expect(letters.map(\.contents) == saved && readers.map(\.contents) == saved)
            let fresh = store.context()
            #expect(try letters.map { try (fresh.existingObject(with: $0.objectID) as? Letter)?.contents } == saved)
        }
    }

    @Test(arguments: [Backend.sqlite, .inMemory], EveryTest.cases(2, of: Array(1...6)) as [UInt64])
    func objectsKeepWhatTheyAreTold(_ backend: Backend, _ seed: UInt64) throws {
        let world = try World(backend, seed)
        for _ in 0..<400 { try world.step() }
        try world.checkAll()
    }
}
