import Foundation
import ManagedStore
import Testing

/// Predicates by key.
@Suite struct PredicateTests {
    /// The numbers 0 to 5, every second one with an optional number of the same value.
    private func numbers(_ backend: Backend, _ predicate: FetchPredicate) throws -> [Int64] {
        let store = try TestStore(backend)
        let context = store.context()
        for number in 0..<6 as Range<Int64> {
            let object = Everything("text \(number)", number, in: context)
            if number % 2 == 0 { object.optionalNumber = number }
        }
        try context.save()
        return try store.context().fetch(
            FetchRequest(Everything.self, sortBy: [SortDescriptor(\.number)], predicate: predicate)
        ).map(\.number)
    }

    @Test(
        arguments: Backend.strictly,
        [
            (.equal, [2]), (.notEqual, [0, 1, 3, 4, 5]), (.less, [0, 1]), (.lessOrEqual, [0, 1, 2]),
            (.greater, [3, 4, 5]),
            (.greaterOrEqual, [2, 3, 4, 5]),
        ] as [(FetchPredicate.Comparison, [Int64])])
    func comparisonsWithAConstant(_ backend: Backend, _ expected: (FetchPredicate.Comparison, [Int64])) throws {
        #expect(try numbers(backend, .compare("number", expected.0, 2 as Int64)) == expected.1)
    }

    @Test(
        arguments: Backend.strictly,
        [
            (.equal, [2]), (.notEqual, [0, 1, 3, 4, 5]), (.less, [0]), (.lessOrEqual, [0, 2]), (.greater, [4]),
            (.greaterOrEqual, [2, 4]),
        ] as [(FetchPredicate.Comparison, [Int64])])
    func aMissingValueOnlyDiffers(_ backend: Backend, _ expected: (FetchPredicate.Comparison, [Int64])) throws {
        #expect(try numbers(backend, .compare("optionalNumber", expected.0, 2 as Int64)) == expected.1)
    }

    @Test(
        arguments: Backend.strictly,
        [
            (.equal, [1, 3, 5]), (.notEqual, [0, 2, 4]), (.less, []), (.lessOrEqual, []), (.greater, []),
            (.greaterOrEqual, []),
        ] as [(FetchPredicate.Comparison, [Int64])])
    func comparisonsWithNil(_ backend: Backend, _ expected: (FetchPredicate.Comparison, [Int64])) throws {
        #expect(try numbers(backend, .compare("optionalNumber", expected.0, Int64?.none)) == expected.1)
    }

    @Test(arguments: Backend.strictly) func negationIsTheExactOpposite(_ backend: Backend) throws {
        let less = FetchPredicate.compare("optionalNumber", .less, 3 as Int64)
        #expect(try numbers(backend, less) == [0, 2])
        #expect(try numbers(backend, !less) == [1, 3, 4, 5])
        #expect(try numbers(backend, !(!less)) == [0, 2])
    }

    @Test(arguments: Backend.strictly) func conditionsCombine(_ backend: Backend) throws {
        let low = FetchPredicate.compare("number", .less, 4 as Int64)
        let even = !FetchPredicate.isNil("optionalNumber")
        #expect(try numbers(backend, low && even) == [0, 2])
        #expect(try numbers(backend, low || even) == [0, 1, 2, 3, 4])
        #expect(try numbers(backend, !(low && even)) == [1, 3, 4, 5])
    }

    @Test(arguments: Backend.strictly) func membersOfAListAreFound(_ backend: Backend) throws {
        #expect(try numbers(backend, .in("number", [1, 4, 9] as [Int64])) == [1, 4])
        #expect(try numbers(backend, .in("number", [] as [Int64])) == [])
        #expect(try numbers(backend, !FetchPredicate.in("number", [] as [Int64])) == [0, 1, 2, 3, 4, 5])
        #expect(try numbers(backend, .in("optionalNumber", [2, 3] as [Int64])) == [2])
        #expect(try numbers(backend, !FetchPredicate.in("optionalNumber", [2] as [Int64])) == [0, 1, 3, 4, 5])
        #expect(try numbers(backend, .in("optionalNumber", [2, nil] as [Int64?])) == [1, 2, 3, 5])
    }

    @Test(arguments: Backend.strictly) func aLongListOfMembers(_ backend: Backend) throws {
        #expect(try numbers(backend, .in("number", Array(3...40_000 as ClosedRange<Int64>))) == [3, 4, 5])
    }

    @Test(arguments: Backend.strictly, [500, 1_500]) func aLongChainOfConditions(_ backend: Backend, _ count: Int)
        throws
    {
        let parts = (0..<count).map { FetchPredicate.compare("number", .equal, Int64($0 * 2)) }
        let either = try #require(parts.dropFirst().reduce(parts.first) { chain, part in chain.map { $0 || part } })
        #expect(try numbers(backend, either) == [0, 2, 4])
        let neither = try #require(
            parts.dropFirst().reduce(parts.first.map(!)) { chain, part in chain.map { $0 && !part } })
        #expect(try numbers(backend, neither) == [1, 3, 5])
    }

    @Test(arguments: Backend.strictly) func aRequestThatMakesNoSenseIsRefused(_ backend: Backend) throws {
        expectError(.unknownKey) { try numbers(backend, .compare("nothing", .equal, 1 as Int64)) }
        expectError(.wrongType) { try numbers(backend, .compare("number", .equal, "one")) }
        expectError(.wrongType) { try numbers(backend, .string("number", .contains, "1")) }
        expectError(.wrongType) { try numbers(backend, .in("text", [1] as [Int64])) }
        expectError(.invalidRequest) { try numbers(backend, .compare("real", .less, Double.nan)) }
        let notADate = Date(timeIntervalSinceReferenceDate: .nan)
        expectError(.invalidRequest) { try numbers(backend, .compare("moment", .equal, notADate)) }
    }

    @Test(
        arguments: Backend.strictly,
        [[0], [0, 1, 2], [1, 2], [2, 1], [0, 1, 3], [2, 0, 2], [0, 0, 1, 2], [], [1, 1]])
    func membershipByID(_ backend: Backend, _ wanted: [Int]) throws {
        let store = try TestStore(backend)
        let ids = try store.seed(4)
        let found = try store.context().items(.objectID(in: wanted.map { ids[$0] }))
        #expect(found.map(\.name) == Set(wanted).sorted().map { "Item \($0)" })
        let others = try store.context().items(
            !.objectID(in: wanted.map { ids[$0] }) && .compare("done", .equal, false))
        #expect(others.map(\.name) == Set(0..<4).subtracting(wanted).sorted().map { "Item \($0)" })
    }

    @Test(arguments: Backend.strictly) func anIDOfAnotherStoreMatchesNothing(_ backend: Backend) throws {
        let store = try TestStore(backend)
        try store.seed(4)
        let ids = try TestStore(backend).seed(2)
        #expect(try store.context().items(.objectID(in: ids)).isEmpty)
    }

    @Test func aPredicateDescribesItself() {
        let predicate =
            FetchPredicate.compare("done", .equal, false) && .string("name", .contains, "a", .caseInsensitive)
        #expect(predicate.description == "(done == false) AND (name CONTAINS[c] \"a\")")
    }
}
