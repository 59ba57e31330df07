import Foundation
import ManagedStore
import Testing

/// Foundation's `#Predicate`, said in SQL.
@Suite struct PredicateMacroTests {
    private func texts(_ backend: Backend, _ predicate: Predicate<Everything>) throws -> [String] {
        let context = try TestStore(backend).context()
        for (number, text) in ["apple", "Banana", "cherry", "date"].enumerated() {
            let object = Everything(text, Int64(number), in: context)
            object.flag = number % 2 == 0
            object.real = Double(number) / 2
            object.optionalText = number < 2 ? text : nil
            object.optionalNumber = number == 3 ? nil : Int64(number)
            object.moment = Date(timeIntervalSinceReferenceDate: Double(number))
        }
        try context.save()
        return try context.fetch(
            FetchRequest(Everything.self, sortBy: [SortDescriptor(\.number)], predicate: FetchPredicate(predicate))
        ).map(\.text)
    }

    @Test(arguments: Backend.all) func comparisonsFindWhatTheySay(_ backend: Backend) throws {
        #expect(try texts(backend, #Predicate { $0.number == 2 }) == ["cherry"])
        #expect(try texts(backend, #Predicate { $0.number != 2 }) == ["apple", "Banana", "date"])
        #expect(try texts(backend, #Predicate { $0.real < 0.5 }) == ["apple"])
        #expect(try texts(backend, #Predicate { 0.5 >= $0.real }) == ["apple", "Banana"])
        #expect(try texts(backend, #Predicate { $0.text > "b" }) == ["cherry", "date"])
        let limit = Date(timeIntervalSinceReferenceDate: 2)
        #expect(try texts(backend, #Predicate { $0.moment >= limit }) == ["cherry", "date"])
    }

    @Test(arguments: Backend.all) func flagsAreConditions(_ backend: Backend) throws {
        #expect(try texts(backend, #Predicate { $0.flag }) == ["apple", "cherry"])
        #expect(try texts(backend, #Predicate { !$0.flag }) == ["Banana", "date"])
        #expect(try texts(backend, #Predicate { $0.flag == false }) == ["Banana", "date"])
        #expect(try texts(backend, #Predicate { $0.flag && $0.number > 0 || $0.text == "date" }) == ["cherry", "date"])
    }

    @Test(arguments: Backend.all) func missingValuesAreEqualToNilAlone(_ backend: Backend) throws {
        #expect(try texts(backend, #Predicate { $0.optionalText == nil }) == ["cherry", "date"])
        #expect(try texts(backend, #Predicate { $0.optionalText != nil }) == ["apple", "Banana"])
        #expect(try texts(backend, #Predicate { $0.optionalText == "apple" }) == ["apple"])
        let (missing, present): (Int64?, Int64?) = (nil, 1)
        #expect(try texts(backend, #Predicate { $0.optionalNumber == missing }) == ["date"])
        #expect(try texts(backend, #Predicate { $0.optionalNumber == present }) == ["Banana"])
    }

    @Test(arguments: Backend.all) func stringsAreSearched(_ backend: Backend) throws {
        #expect(try texts(backend, #Predicate { $0.text.contains("an") }) == ["Banana"])
        #expect(try texts(backend, #Predicate { $0.text.starts(with: "ch") }) == ["cherry"])
        #expect(try texts(backend, #Predicate { $0.text.localizedStandardContains("BAN") }) == ["Banana"])
        #expect(try texts(backend, #Predicate { $0.text.localizedStandardContains("bän") }) == ["Banana"])
        let empty = ""
        #expect(try texts(backend, #Predicate { $0.text.contains(empty) }).count == 4)
    }

    @Test(arguments: Backend.all) func membersOfACollectionAreFound(_ backend: Backend) throws {
        let wanted = ["date", "apple", "nothing"]
        #expect(try texts(backend, #Predicate { wanted.contains($0.text) }) == ["apple", "date"])
        let numbers: Set<Int64> = [1, 2]
        #expect(try texts(backend, #Predicate { numbers.contains($0.number) }) == ["Banana", "cherry"])
        let none: [String] = []
        #expect(try texts(backend, #Predicate { none.contains($0.text) }) == [])
        let optionals: [Int64?] = [nil, 0]
        #expect(try texts(backend, #Predicate { optionals.contains($0.optionalNumber) }) == ["apple", "date"])
    }

    @Test(arguments: Backend.all) func valuesWithinARangeAreFound(_ backend: Backend) throws {
        #expect(try texts(backend, #Predicate { (1...2).contains($0.number) }) == ["Banana", "cherry"])
        #expect(try texts(backend, #Predicate { (1..<2).contains($0.number) }) == ["Banana"])
        let (closed, half): (ClosedRange<Int64>, Range<Double>) = (2...9, 0.0..<0.5)
        #expect(try texts(backend, #Predicate { closed.contains($0.number) }) == ["cherry", "date"])
        #expect(try texts(backend, #Predicate { half.contains($0.real) }) == ["apple"])
        #expect(try texts(backend, #Predicate { closed.contains(3) && $0.flag }) == ["apple", "cherry"])
    }

    @Test(arguments: Backend.all) func constantsFindAllOrNothing(_ backend: Backend) throws {
        #expect(try texts(backend, #Predicate { _ in true }).count == 4)
        #expect(try texts(backend, #Predicate { _ in false }).isEmpty)
    }

    @Test func whatCannotBeSaidInSQLIsRefused() throws {
        expectError(.invalidRequest) { try texts(.sqlite, #Predicate { $0.text.count == 2 }) }
        expectError(.invalidRequest) { try texts(.sqlite, #Predicate { $0.text.contains($0.defaultText) }) }
        expectError(.unknownKey) { try texts(.sqlite, #Predicate { $0.isFault }) }
    }

    @Test func sortDescriptorsOfNoAttributeAreRefused() throws {
        let context = try TestStore(.inMemory).context()
        expectError(.unknownKey) {
            try context.fetch(FetchRequest(Item.self, sortBy: [SortDescriptor(\.description)]))
        }
    }
}
