import Foundation
import ManagedStore
import Testing

/// Predicates and batch updates on the narrower numbers, decimals and identifiers.
@Suite struct NewTypesRequestTests {
    private func context(_ backend: Backend) throws -> ManagedObjectContext {
        let context = try TestStore(backend).context()
        for number in 0..<4 {
            let object = Everything("\(number)", in: context)
            (object.small, object.medium, object.count) = (Int16(number), Int32(number), number)
            (object.single, object.amount) = (Float(number) / 10, Decimal(number) / 10)
            object.identifier = try #require(UUID(uuidString: "0\(number)345678-0000-0000-0000-000000000000"))
            object.link = try #require(URL(string: "https://example.com/\(number)"))
        }
        try context.save()
        return context
    }

    private func texts(_ context: ManagedObjectContext, _ predicate: Predicate<Everything>) throws -> [String] {
        try texts(context, FetchPredicate(predicate))
    }

    private func texts(_ context: ManagedObjectContext, _ predicate: FetchPredicate) throws -> [String] {
        try context.fetch(FetchRequest(Everything.self, sortBy: [SortDescriptor(\.text)], predicate: predicate)).map(
            \.text)
    }

    @Test(arguments: Backend.allCases) func theMacroComparesTheNewTypes(_ backend: Backend) throws {
        let context = try context(backend)
        let tenth = try #require(Decimal(string: "0.1"))
        let identifier = try #require(UUID(uuidString: "02345678-0000-0000-0000-000000000000"))
        let link = try #require(URL(string: "https://example.com/3"))
        #expect(try texts(context, #Predicate { $0.small > 2 }) == ["3"])
        #expect(try texts(context, #Predicate { $0.medium == 1 }) == ["1"])
        #expect(try texts(context, #Predicate { $0.count <= 1 }) == ["0", "1"])
        #expect(try texts(context, #Predicate { $0.single == 0.1 }) == ["1"])
        #expect(try texts(context, #Predicate { $0.amount > tenth }) == ["2", "3"])
        #expect(try texts(context, #Predicate { $0.identifier == identifier }) == ["2"])
        #expect(try texts(context, #Predicate { $0.link == link }) == ["3"])
        #expect(try texts(context, #Predicate { $0.optionalLink == nil }).count == 4)
    }

    @Test(arguments: Backend.allCases) func membershipOfTheNewTypes(_ backend: Backend) throws {
        let context = try context(backend)
        #expect(try texts(context, .in("small", [1, 3, 9] as [Int16])) == ["1", "3"])
        #expect(try texts(context, .in("amount", ["0.2", "0.30"].compactMap { Decimal(string: $0) })) == ["2", "3"])
        #expect(try texts(context, .in("link", [URL(string: "https://example.com/0")])) == ["0"])
    }

    @Test(arguments: Backend.allCases) func aNumberOutOfRangeIsComparedAllTheSame(_ backend: Backend) throws {
        let context = try context(backend)
        #expect(try texts(context, .compare("small", .less, 70_000)).count == 4)
        #expect(try texts(context, .compare("medium", .equal, Int64.max)).isEmpty)
        #expect(try texts(context, .compare("single", .equal, 0.1 as Double)) == ["1"])
        #expect(try texts(context, .compare("amount", .greaterOrEqual, 0.2 as Double)) == ["2", "3"])
    }

    @Test(arguments: Backend.allCases) func unsavedValuesAreFoundAsIfSaved(_ backend: Backend) throws {
        let context = try context(backend)
        for object in try context.fetch(FetchRequest(Everything.self)) { object.amount += 1 }
        #expect(try texts(context, .compare("amount", .less, try #require(Decimal(string: "1.15")))) == ["0", "1"])
    }

    private func updated(_ backend: Backend, _ set: [String: BatchExpression]) throws -> Everything {
        let store = try TestStore(backend)
        let context = store.context()
        Everything("a", 5, in: context)
        try context.save()
        _ = try context.execute(BatchUpdateRequest(Everything.self, set: set))
        var request = FetchRequest(Everything.self)
        request.returnsObjectsAsFaults = false
        return try #require(try store.context().fetch(request).first)
    }

    @Test(arguments: Backend.allCases) func batchUpdatesSetTheNewTypes(_ backend: Backend) throws {
        let (identifier, link) = (UUID(), try #require(URL(string: "a:b")))
        let read = try updated(
            backend,
            [
                "small": 5, "medium": 6, "single": 0.25, "amount": 0.75, "identifier": .value(identifier),
                "link": .value(link), "shape": .value(try Transformable(Shape(name: "x", sides: []))),
                "optionalAmount": 3,
            ])
        #expect(read.small == 5 && read.medium == 6 && read.single == 0.25 && read.amount == Decimal(0.75))
        #expect(read.identifier == identifier && read.link == link && read.shape.value?.name == "x")
        #expect(read.optionalAmount == 3)
    }

    @Test(arguments: Backend.allCases) func computedNumbersAreClampedOrRounded(_ backend: Backend) throws {
        let read = try updated(
            backend,
            [
                "small": .attribute("number") * 1_000_000, "medium": .attribute("number") * .value(Int64.min),
                "single": .attribute("single") + 0.2, "amount": .attribute("amount") + 0.01,
                "optionalSmall": .attribute("optionalSmall") + 1, "optionalMedium": .attribute("small") + 1,
                "optionalAmount": .attribute("number") + 1, "real": .attribute("single") * 2,
            ])
        #expect(read.small == .max && read.medium == .min && read.single == Float(Double(Float(0.1)) + 0.2))
        #expect(read.amount == 10 && read.optionalSmall == nil && read.optionalMedium == 2 && read.optionalAmount == 6)
        #expect(read.real == Double(Float(0.1)) * 2)
    }

    @Test(arguments: Backend.allCases) func aConstantOutOfRangeIsRefused(_ backend: Backend) throws {
        expectError(.wrongType) { try updated(backend, ["small": 40_000]) }
        expectError(.wrongType) { try updated(backend, ["small": .attribute("amount")]) }
    }
}
