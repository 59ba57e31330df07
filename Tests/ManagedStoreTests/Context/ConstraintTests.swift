import Foundation
import ManagedStore
import Testing

/// Limits, lengths and patterns, with Core Data's codes.
@Suite struct ConstraintTests {
    private func context(_ backend: Backend) throws -> ManagedObjectContext {
        try TestStore(backend, model: ManagedObjectModel(Account.self, Strict.self)).context()
    }

    /// The codes with which a save of one account fails.
    private func codes(_ backend: Backend, _ change: (Account) -> Void) throws -> [Int] {
        let context = try context(backend)
        let account = Account(context: context)
        change(account)
        do {
            try context.save()
            return []
        } catch {
            #expect(account.isInserted)
            return (error.detailedErrors.isEmpty ? [error] : error.detailedErrors).map(\.code.rawValue)
        }
    }

    @Test(arguments: Backend.strictCases) func whatIsMissingMeetsEveryExpectation(_ backend: Backend) throws {
        #expect(try codes(backend) { _ in } == [])
    }

    @Test(arguments: Backend.strictCases) func numbersHaveLimits(_ backend: Backend) throws {
        #expect(try codes(backend) { ($0.level, $0.ratio, $0.single) = (1, -0.5, 2) } == [])
        #expect(try codes(backend) { ($0.level, $0.ratio) = (10, 0.5) } == [])
        #expect(try codes(backend) { $0.level = 11 } == [1610])
        #expect(try codes(backend) { $0.level = 0 } == [1620])
        #expect(try codes(backend) { $0.ratio = .infinity } == [1610])
        #expect(try codes(backend) { $0.single = 2.5 } == [1610])
        #expect(try codes(backend) { $0.price = Decimal(string: "99.95") } == [])
        #expect(try codes(backend) { $0.price = Decimal(string: "99.96") } == [1610])
        #expect(try codes(backend) { $0.price = Decimal(string: "-0.01") } == [1620])
    }

    @Test(arguments: Backend.strictCases) func datesHaveLimits(_ backend: Backend) throws {
        #expect(try codes(backend) { $0.opened = Account.first } == [])
        #expect(try codes(backend) { $0.opened = Account.last } == [])
        #expect(try codes(backend) { $0.opened = Account.last + 1 } == [1630])
        #expect(try codes(backend) { $0.opened = Account.first - 1 } == [1640])
        #expect(try codes(backend) { $0.opened = Date(timeIntervalSinceReferenceDate: .nan) } == [1650])
    }

    @Test(arguments: Backend.strictCases) func lengthsAreCountedInUnicodeScalars(_ backend: Backend) throws {
        #expect(try codes(backend) { $0.name = "ab" } == [])
        #expect(try codes(backend) { $0.name = "äöüß🙂" } == [])
        #expect(try codes(backend) { $0.name = "abcdef" } == [1660])
        #expect(try codes(backend) { $0.name = "e\u{301}" } == [])
        #expect(try codes(backend) { $0.name = "🙂" } == [1670])
        #expect(try codes(backend) { $0.name = "" } == [1670])
    }

    @Test(arguments: Backend.strictCases) func aPatternMatchesTheWholeString(_ backend: Backend) throws {
        #expect(try codes(backend) { $0.code = "a" } == [])
        #expect(try codes(backend) { $0.code = "abb" } == [])
        for text in ["", "xab", "abx", "a\n", "A"] { #expect(try codes(backend) { $0.code = text } == [1680]) }
    }

    @Test(arguments: Backend.strictCases) func severalErrorsCarryObjectKeyAndValue(_ backend: Backend) throws {
        let context = try context(backend)
        let (first, second) = (Account(context: context), Account(context: context))
        (first.level, first.name, second.ratio) = (11, "a", 7)
        let error = try #require(expectError(.validationMultipleErrors) { try context.save() })
        #expect(error.code.rawValue == 1560)
        #expect(error.detailedErrors.map(\.objectID) == [first.objectID, first.objectID, second.objectID])
        #expect(error.detailedErrors.map(\.key) == ["name", "level", "ratio"])
        #expect(error.detailedErrors.map(\.value) == [.string("a"), .integer16(11), .double(7)])
    }

    @Test(arguments: Backend.strictCases) func aSaveFailsAsAWholeAndCanBeRepeatedAfterTheFix(_ backend: Backend) throws
    {
        let store = try TestStore(backend, model: ManagedObjectModel(Account.self))
        let context = store.context()
        let (good, bad) = (Account(context: context), Account(context: context))
        (good.level, bad.level) = (5, 50)
        expectError(.validationNumberTooLarge) { try context.save() }
        #expect(try store.context().count(for: FetchRequest(Account.self)) == 0 && context.insertedObjects.count == 2)
        bad.level = 6
        try context.save()
        #expect(try store.context().count(for: FetchRequest(Account.self)) == 2)
        good.level = -1
        expectError(.validationNumberTooSmall) { try context.save() }
        #expect(good.isUpdated)
    }

    @Test func aSingleValueCanBeValidated() throws {
        let context = try context(.inMemory)
        let account = Account(context: context)
        try account.validateValue(.integer64(3), forKey: "level")
        try account.validateValue(.null, forKey: "level")
        let error = expectError(.validationNumberTooLarge) {
            try account.validateValue(.integer16(11), forKey: "level")
        }
        #expect(error?.objectID == account.objectID && error?.key == "level" && error?.value == .integer16(11))
        expectError(.validationStringPatternMatching) { try account.validateValue(.string("b"), forKey: "code") }
        expectError(.wrongType) { try account.validateValue(.integer64(3), forKey: "code") }
        expectError(.unknownKey) { try account.validateValue(.null, forKey: "nothing") }
        #expect(account.level == nil && context.hasChanges)
    }

    @Test(arguments: Backend.strictCases) func aClassCanValidateForItself(_ backend: Backend) throws {
        let context = try context(backend)
        let object = Strict(context: context)
        object.name = "forbidden"
        let error = expectError(.managedObjectValidation) { try context.save() }
        #expect(error?.key == "name" && error?.value == .string("forbidden") && error?.objectID == object.objectID)
        object.name = "too long a name"
        expectError(.validationStringTooLong) { try context.save() }
        object.name = "allowed"
        try context.save()
        #expect(object.saves == 1 && !object.hasChanges)
        object.isLocked = true
        expectError(.managedObjectValidation) { try context.save() }
        #expect(object.isUpdated)
    }

    @Test(arguments: Backend.strictCases) func aClassCanObjectToADeletion(_ backend: Backend) throws {
        let context = try context(backend)
        let object = Strict(context: context)
        object.isLocked = true
        try context.save()
        context.delete(object)
        expectError(.managedObjectValidation) { try context.save() }
        #expect(object.isDeleted)
        context.rollback()
        #expect(try context.count(for: FetchRequest(Strict.self)) == 1)
    }

    @Test func theCodesAreCoreDatas() {
        let codes: [StoreError.Code] = [
            .managedObjectValidation, .validationMultipleErrors, .validationMissingMandatoryProperty,
            .validationRelationshipLacksMinimumCount, .validationRelationshipExceedsMaximumCount,
            .validationRelationshipDeniedDelete, .validationNumberTooLarge, .validationNumberTooSmall,
            .validationDateTooLate, .validationDateTooSoon, .validationInvalidDate, .validationStringTooLong,
            .validationStringTooShort, .validationStringPatternMatching,
        ]
        #expect(codes.map(\.rawValue) == [1550] + Array(stride(from: 1560, through: 1680, by: 10)))
    }
}
