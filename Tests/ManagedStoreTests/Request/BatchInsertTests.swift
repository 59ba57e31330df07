import Foundation
import ManagedStore
import Testing

@Suite struct BatchInsertTests {
    private struct Mismatch: Error {}

    private func numbers(_ count: Int64) -> BatchInsertRequest {
        var number: Int64 = 0
        return BatchInsertRequest(Everything.self) { object in
            if number == count { return true }
            (object.text, object.number, object.flag, object.real) = ("text \(number)", number, false, 0)
            (object.moment, object.bytes) = (Date(timeIntervalSinceReferenceDate: 0), Data())
            number += 1
            return false
        }
    }

    @Test(arguments: Backend.strictCases) func anObjectIsInsertedForEveryDictionary(_ backend: Backend) throws {
        let store = try TestStore(backend)
        let dates = [Date(timeIntervalSinceReferenceDate: 1), Date(timeIntervalSinceReferenceDate: 2)]
        let request = BatchInsertRequest(
            entityName: "Item",
            objects: [["name": "a", "createdAt": dates[0], "done": true], ["name": "b", "createdAt": dates[1]]])
        guard case .statusOnly = try store.context().execute(request) else { throw Mismatch() }
        let context = store.context()
        let items = try context.items()
        #expect(items.map(\.name) == ["a", "b"] && items.map(\.done) == [true, false])
        #expect(items.map(\.createdAt) == dates)
    }

    @Test(arguments: Backend.strictCases, [0, 1, 5_000]) func aHandlerFillsObjectsUntilItSaysStop(
        _ backend: Backend, _ count: Int64
    ) throws {
        let context = try TestStore(backend).context()
        var request = numbers(count)
        request.resultType = .count
        guard case .count(Int(count)) = try context.execute(request) else { throw Mismatch() }
        let found = try context.fetch(FetchRequest(Everything.self, sortBy: [SortDescriptor(\.number)]))
        #expect(found.map(\.number) == Array(0..<count))
        #expect(found.last.map { $0.text == "text \(count - 1)" } ?? true)
    }

    /// Nothing can refer to what has no key yet.
    @Test func aRelationshipOfAnObjectOfABatchCannotBeSet() async throws {
        let context = try Library.store(.inMemory).context()
        _ = try context.execute(
            BatchInsertRequest(entityName: "Book") { book in
                expectError(.invalidRequest) { try book.setValue(nil, forKey: "author") }
                return true
            })
        let results = [
            await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
                try Self.insert { book, author in book.author = author }
            },
            await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
                try Self.insert { book, author in author.books.insert(book) }
            },
        ]
        for result in results {
            let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
            #expect(text.contains("relationships of Book cannot be set in a batch insert"), "\(text)")
        }
    }

    private static func insert(_ relate: @escaping (Book, Author) -> Void) throws {
        let context = try Library.store(.inMemory).context()
        let author = Author("a", in: context)
        _ = try context.execute(
            BatchInsertRequest(Book.self) { book in
                relate(book, author)
                return true
            })
    }

    @Test(arguments: Backend.strictCases) func aHandlerFillsDictionariesUntilItSaysStop(_ backend: Backend) throws {
        let context = try TestStore(backend).context()
        var names = ["c", "b", "a"]
        let request = BatchInsertRequest(entityName: "Item") { dictionary in
            #expect(dictionary.isEmpty)
            guard let name = names.popLast() else { return true }
            dictionary["name"] = name
            dictionary["createdAt"] = Date(timeIntervalSinceReferenceDate: Double(3 - names.count))
            return false
        }
        _ = try context.execute(request)
        #expect(try context.items().map(\.name) == ["a", "b", "c"])
    }

    @Test(arguments: Backend.strictCases) func defaultsAreApplied(_ backend: Backend) throws {
        let context = try TestStore(backend).context()
        _ = try context.execute(numbers(1))
        let object = try #require(try context.fetch(FetchRequest(Everything.self)).first)
        #expect(object.defaultText == "none" && object.defaultNumber == -7 && object.small == 1)
        #expect(object.amount == Decimal(string: "9.99") && object.optionalText == nil)
    }

    @Test(arguments: Backend.strictCases) func theIDsLeadToTheObjectsInTheirOrder(_ backend: Backend) throws {
        let store = try TestStore(backend)
        try store.seed(3)
        let context = store.context()
        var request = numbers(3)
        request.resultType = .objectIDs
        _ = try context.execute(numbers(2))
        guard case .objectIDs(let ids) = try context.execute(request) else { throw Mismatch() }
        let found = try ids.map { try #require(try context.existingObject(with: $0) as? Everything).number }
        #expect(found == [0, 1, 2] && ids.allSatisfy { !$0.isTemporaryID })
        let new = Everything("later", in: context)
        try context.save()
        #expect(!ids.contains(new.objectID))
    }

    @Test(arguments: Backend.strictCases) func aBatchThatFailsInsertsNothingAndNamesTheObject(_ backend: Backend) throws
    {
        let context = try TestStore(backend).context()
        let good: [String: Any?] = ["name": "a", "createdAt": Date()]
        func insert(_ bad: [String: Any?]) throws {
            _ = try context.execute(BatchInsertRequest(entityName: "Item", objects: [good, bad]))
        }
        let missing = expectError(.validationMissingMandatoryProperty) { try insert(["name": "b"]) }
        #expect(missing?.message.contains("object 1 of the batch: Item.createdAt") == true)
        expectError(.validationMultipleErrors) { try insert([:]) }
        expectError(.validationMissingMandatoryProperty) { try insert(["name": nil, "createdAt": Date()]) }
        expectError(.wrongType) { try insert(["name": 1, "createdAt": Date()]) }
        let unknown = expectError(.unknownKey) { try insert(["Name": "b"]) }
        #expect(unknown?.message.contains("object 1 of the batch") == true)
        expectError(.validationInvalidDate) {
            try insert(["name": "b", "createdAt": Date(timeIntervalSince1970: .nan)])
        }
        expectError(.unknownEntity) { try context.execute(BatchInsertRequest(entityName: "Nothing", objects: [])) }
        #expect(try context.items().isEmpty)
    }

    @Test(arguments: Backend.strictCases) func limitsAndHooksAreNotMinded(_ backend: Backend) throws {
        let context = try TestStore(backend, model: ManagedObjectModel(Account.self, Strict.self)).context()
        _ = try context.execute(BatchInsertRequest(entityName: "Account", objects: [["level": 99, "code": "zzz"]]))
        _ = try context.execute(BatchInsertRequest(entityName: "Strict", objects: [["name": "forbidden"]]))
        #expect(try context.fetch(FetchRequest(Account.self)).map(\.level) == [99])
        #expect(try context.fetch(FetchRequest(Strict.self)).map(\.saves) == [0])
    }

    @Test(arguments: Backend.strictCases) func contextsAreNotTouched(_ backend: Backend) throws {
        let context = try TestStore(backend).context()
        let saves = NotificationRecorder(ManagedObjectContext.didSaveObjectsNotification, from: context)
        let changes = NotificationRecorder(ManagedObjectContext.didChangeObjectsNotification, from: context)
        let unsaved = Item("unsaved", in: context)
        _ = try context.execute(numbers(3))
        context.processPendingChanges()
        #expect(context.registeredObjects == [unsaved] && unsaved.isInserted)
        #expect(saves.notifications.isEmpty && changes.notifications.count == 1)
    }

    @Test func insertedRowsAreOfVersionOneAndCounted() throws {
        let store = try TestStore()
        _ = try store.context().execute(numbers(100))
        let database = try store.database()
        #expect(try database.rows("SELECT DISTINCT Z_OPT FROM ZEVERYTHING") == [["1"]])
        #expect(try database.value("SELECT Z_MAX FROM Z_PRIMARYKEY WHERE Z_NAME = 'Everything'") == "100")
    }
}
