import Foundation
import ManagedStore
import Testing

@Suite struct BatchUpdateTests {
    private func updated(
        _ backend: Backend, _ set: [String: BatchExpression], _ make: (Everything) -> Void = { _ in }
    ) throws -> Everything {
        let store = try TestStore(backend)
        let context = store.context()
        make(Everything("a", 5, in: context))
        try context.save()
        _ = try context.execute(BatchUpdateRequest(Everything.self, set: set))
        let other = store.context()
        var request = FetchRequest(Everything.self)
        request.returnsObjectsAsFaults = false
        return try #require(try other.fetch(request).first)
    }

    @Test(arguments: Backend.strictCases) func everyResultTypeUpdates(_ backend: Backend) throws {
        let store = try TestStore(backend)
        let ids = try store.seed(5)
        let context = store.context()
        var request = BatchUpdateRequest(
            Item.self, set: ["done": true],
            predicate: .compare("createdAt", .greaterOrEqual, Date(timeIntervalSinceReferenceDate: 3)))
        guard case .statusOnly = try context.execute(request) else { throw Mismatch() }
        request.resultType = .updatedObjectsCount
        guard case .updatedObjectsCount(let count) = try context.execute(request) else { throw Mismatch() }
        request.resultType = .updatedObjectIDs
        guard case .updatedObjectIDs(let updated) = try context.execute(request) else { throw Mismatch() }
        #expect(count == 2 && updated == [ids[3], ids[4]])
        #expect(try store.context().items().map(\.done) == [false, false, false, true, true])
    }

    private struct Mismatch: Error {}

    @Test(arguments: Backend.strictCases) func thePredicateIsJudgedBeforeTheUpdate(_ backend: Backend) throws {
        let store = try TestStore(backend)
        let ids = try store.seed(3)
        var request = BatchUpdateRequest(
            Item.self, set: ["name": "renamed"], predicate: .compare("name", .equal, "Item 1"))
        request.resultType = .updatedObjectIDs
        guard case .updatedObjectIDs(let updated) = try store.context().execute(request) else { throw Mismatch() }
        #expect(updated == [ids[1]])
    }

    @Test(arguments: Backend.strictCases) func constantsOfEveryType(_ backend: Backend) throws {
        let moment = Date(timeIntervalSinceReferenceDate: 77)
        let read = try updated(
            backend,
            [
                "text": "b", "flag": true, "moment": .value(moment), "number": 9, "real": 1.5,
                "bytes": .value(Data([1])), "optionalText": nil, "optionalReal": 3,
            ]
        ) { $0.optionalText = "x" }
        #expect(read.text == "b" && read.flag && read.moment == moment && read.number == 9 && read.real == 1.5)
        #expect(read.bytes == Data([1]) && read.optionalText == nil && read.optionalReal == 3)
    }

    @Test(arguments: Backend.strictCases) func expressionsUseTheOldValues(_ backend: Backend) throws {
        let read = try updated(
            backend,
            [
                "number": .attribute("defaultNumber") * 2 - 1, "defaultNumber": .attribute("number") + 10,
                "real": .attribute("defaultReal") * 2.0, "flag": !.attribute("defaultFlag"),
                "moment": .attribute("defaultMoment") + 60, "text": .attribute("defaultText"),
            ])
        #expect(read.number == -15 && read.defaultNumber == 15 && read.real == 5 && !read.flag)
        #expect(read.moment == Everything.defaultDate + 60 && read.text == "none")
    }

    @Test(arguments: Backend.strictCases) func nilInAnExpressionIsNil(_ backend: Backend) throws {
        let read = try updated(
            backend, ["optionalNumber": .attribute("optionalNumber") + 1, "optionalFlag": !.attribute("optionalFlag")])
        #expect(read.optionalNumber == nil && read.optionalFlag == nil)
    }

    @Test(arguments: Backend.strictCases) func whatIsNotANumberBecomesNil(_ backend: Backend) throws {
        let read = try updated(backend, ["optionalReal": .attribute("optionalReal") - .attribute("optionalReal")]) {
            $0.optionalReal = .infinity
        }
        #expect(read.optionalReal == nil)
    }

    @Test(arguments: Backend.strictCases) func integersThatOverflowAreClamped(_ backend: Backend) throws {
        let read = try updated(
            backend, ["number": .attribute("number") * .value(Int64.max), "optionalNumber": .value(Int64.min) - 1])
        #expect(read.number == .max && read.optionalNumber == .min)
    }

    @Test(arguments: Backend.strictCases) func requestsThatMakeNoSenseAreRefused(_ backend: Backend) throws {
        expectError(.invalidRequest) { try updated(backend, [:]) }
        expectError(.unknownKey) { try updated(backend, ["nothing": 1]) }
        expectError(.unknownKey) { try updated(backend, ["number": .attribute("nothing")]) }
        expectError(.validationMissingMandatoryProperty) { try updated(backend, ["text": nil]) }
        expectError(.wrongType) { try updated(backend, ["number": "one"]) }
        expectError(.wrongType) { try updated(backend, ["number": .attribute("real")]) }
        expectError(.wrongType) { try updated(backend, ["flag": !.attribute("number")]) }
        expectError(.wrongType) { try updated(backend, ["text": .attribute("text") + "x"]) }
        expectError(.managedObjectValidation) { try updated(backend, ["real": .value(Double.nan)]) }
        expectError(.validationInvalidDate) {
            try updated(backend, ["moment": .value(Date(timeIntervalSinceReferenceDate: .nan))])
        }
        expectError(.managedObjectValidation) {
            try updated(backend, ["real": .attribute("real") + .value(Double.nan)])
        }
    }

    @Test func anUnknownEntityIsRefused() throws {
        let context = try TestStore(.inMemory).context()
        expectError(.unknownEntity) { try context.execute(BatchUpdateRequest(entityName: "Nothing", set: ["a": 1])) }
    }

    @Test(arguments: Backend.strictCases) func objectsAreStaleUntilTheyAreRefreshed(_ backend: Backend) throws {
        let store = try TestStore(backend)
        let (context, items) = try store.contextWithItems(2)
        let saves = NotificationRecorder(ManagedObjectContext.didSaveObjectsNotification, from: context)
        let changes = NotificationRecorder(ManagedObjectContext.didChangeObjectsNotification, from: context)
        _ = try context.execute(BatchUpdateRequest(Item.self, set: ["done": true]))
        context.processPendingChanges()
        #expect(items.allSatisfy { !$0.done && !$0.hasChanges && !$0.isFault })
        #expect(try context.items().allSatisfy { !$0.done })
        #expect(saves.notifications.isEmpty && changes.notifications.isEmpty)
        for item in items { try context.refresh(item, mergeChanges: false) }
        #expect(items.allSatisfy { $0.done })
    }

    @Test(arguments: Backend.strictCases) func aStaleObjectMeetsAConflict(_ backend: Backend) throws {
        let store = try TestStore(backend)
        let (context, items) = try store.contextWithItems(2)
        _ = try context.execute(BatchUpdateRequest(Item.self, set: ["done": true]))
        items[0].name = "mine"
        let error = expectError(.mergeConflict) { try context.save() }
        #expect(error?.conflicts.map(\.newVersion) == [2])
        try context.refresh(items[0], mergeChanges: true)
        try context.save()
        #expect(items[0].done && items[0].name == "mine")
    }

    @Test(arguments: Backend.strictCases) func unsavedObjectsAreNotTouched(_ backend: Backend) throws {
        let context = try TestStore(backend).context()
        let new = Item("new", in: context)
        var request = BatchUpdateRequest(Item.self, set: ["done": true])
        request.resultType = .updatedObjectsCount
        guard case .updatedObjectsCount(0) = try context.execute(request) else { throw Mismatch() }
        #expect(!new.done && new.isInserted)
    }
}
