import Foundation
import ManagedStore
import Testing

/// The narrower numbers, and decimals.
@Suite struct NumberAttributeTests {
    /// Saves `change` to one object, and hands over what another context reads.
    private func roundTrip(_ backend: Backend, _ change: (Everything) throws -> Void) throws -> Everything {
        let store = try TestStore(backend)
        let context = store.context()
        let object = Everything("", in: context)
        try change(object)
        try context.save()
        return try #require(try store.context().existingObject(with: object.objectID) as? Everything)
    }

    @Test(arguments: Backend.all, [0, 1, -1, Int16.min, .max])
    func integersOf16BitsSurvive(_ backend: Backend, _ value: Int16) throws {
        let read = try roundTrip(backend) { ($0.small, $0.optionalSmall) = (value, value) }
        #expect(read.small == value && read.optionalSmall == value)
    }

    @Test(arguments: Backend.all, [0, 1, -1, Int32.min, .max])
    func integersOf32BitsSurvive(_ backend: Backend, _ value: Int32) throws {
        let read = try roundTrip(backend) { ($0.medium, $0.optionalMedium) = (value, value) }
        #expect(read.medium == value && read.optionalMedium == value)
    }

    @Test(arguments: Backend.all, [0, Int.min, .max]) func intsSurvive(_ backend: Backend, _ value: Int) throws {
        let read = try roundTrip(backend) { ($0.count, $0.optionalCount) = (value, value) }
        #expect(read.count == value && read.optionalCount == value)
        #expect(try read.value(forKey: "count") as? Int64 == Int64(value))
    }

    @Test(
        arguments: Backend.all, [0, 0.1, -1.5, Float.leastNonzeroMagnitude, .greatestFiniteMagnitude, .infinity])
    func floatsSurvive(_ backend: Backend, _ value: Float) throws {
        let read = try roundTrip(backend) { ($0.single, $0.optionalSingle) = (value, value) }
        #expect(read.single == value && read.optionalSingle == value)
    }

    @Test(
        arguments: Backend.all,
        [
            "0", "0.1", "-0.07", "1", "123456789012.345", "0.000000000000123456789012345", "999999999999999",
            "99999999999999.9", "1e100", "-123456789012345e-60", "9223372036854775807", "-9223372036854775808",
        ])
    func decimalsOfFifteenDigitsAndWholeNumbersOf64BitsAreExact(_ backend: Backend, _ text: String) throws {
        let value = try #require(Decimal(string: text))
        let read = try roundTrip(backend) { ($0.amount, $0.optionalAmount) = (value, value) }
        #expect(read.amount == value && read.optionalAmount == value)
        #expect(try read.value(forKey: "amount") as? Decimal == value)
    }

    @Test(arguments: Backend.all) func aLongerDecimalIsTheNearestDoubleFromTheStart(_ backend: Backend) throws {
        let value = try #require(Decimal(string: "0.12345678901234567890123"))
        let context = try TestStore(backend).context()
        let object = Everything("", in: context)
        object.amount = value
        let unsaved = object.amount
        try context.save()
        try context.refresh(object, mergeChanges: false)
        #expect(object.amount == unsaved && unsaved != value)
        #expect(unsaved == Decimal(string: "0.12345678901234568"))
        #expect(
            try context.count(for: FetchRequest(Everything.self, predicate: .compare("amount", .equal, unsaved))) == 1)
    }

    @Test(arguments: Backend.all) func decimalsSortByNumber(_ backend: Backend) throws {
        let context = try TestStore(backend).context()
        let texts = ["10", "9", "-1", "0.5", "9007199254740993", "9007199254740992.5", "9007199254740992", "1e30"]
        for text in texts { Everything(text, in: context).amount = try #require(Decimal(string: text)) }
        try context.save()
        var request = FetchRequest(Everything.self, sortBy: [SortDescriptor(\.amount)])
        #expect(
            try context.fetch(request).map(\.text)
                == ["-1", "0.5", "9", "10", "9007199254740992.5", "9007199254740992", "9007199254740993", "1e30"])
        request.fetchLimit = 3
        #expect(try context.fetch(request).map(\.text) == ["-1", "0.5", "9"])
    }

    @Test func aNumberOutOfRangeIsRefused() throws {
        let context = try TestStore(.inMemory).context()
        let object = Everything("", in: context)
        expectError(.wrongType) { try object.setValue(32_768, forKey: "small") }
        expectError(.wrongType) { try object.setValue(Int64(Int32.min) - 1, forKey: "medium") }
        expectError(.wrongType) { try object.setValue(Double.infinity, forKey: "amount") }
        expectError(.wrongType) { try object.setValue(1.5, forKey: "small") }
        try object.setValue(-32_768, forKey: "small")
        #expect(object.small == .min && context.hasChanges)
    }

    @Test func anyIntegerServesForAnyNumber() throws {
        let context = try TestStore(.inMemory).context()
        let object = Everything("", in: context)
        for key in ["small", "medium", "count", "number", "single", "real", "amount"] {
            for value in [Int16(7) as Any, Int32(7), Int64(7), 7] { try object.setValue(value, forKey: key) }
        }
        #expect(object.small == 7 && object.medium == 7 && object.count == 7 && object.number == 7)
        #expect(object.single == 7 && object.real == 7 && object.amount == 7)
        try object.setValue(0.1, forKey: "amount")
        #expect(object.amount == Decimal(string: "0.1") && context.hasChanges)
    }

    @Test(arguments: Backend.all) func nanIsRefusedInFloatsAndDecimals(_ backend: Backend) throws {
        let context = try TestStore(backend).context()
        let object = Everything("", in: context)
        object.single = .nan
        expectError(.managedObjectValidation) { try context.save() }
        (object.single, object.amount) = (0, .nan)
        expectError(.managedObjectValidation) { try context.save() }
        object.amount = 0
        try context.save()
    }
}
