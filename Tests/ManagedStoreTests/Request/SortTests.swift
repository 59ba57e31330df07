import Foundation
import ManagedStore
import Testing

@Suite struct SortTests {
    /// The texts of `make`'s objects in the wanted order.
    private func order(
        _ backend: Backend, _ sort: [FetchSortDescriptor], limit: Int = 0, _ make: (ManagedObjectContext) -> Void
    ) throws -> [String] {
        let store = try TestStore(backend)
        let context = store.context()
        make(context)
        try context.save()
        var request = FetchRequest(Everything.self)
        request.sortDescriptors = sort
        request.fetchLimit = limit
        return try store.context().fetch(request).map(\.text)
    }

    @Test(arguments: Backend.all, [0, 100]) func stringsSortByTheirBytes(_ backend: Backend, _ limit: Int) throws {
        let texts = [
            "b", "ab", "", "a", "B", "é", "e\u{301}", "\u{10FFFF}", "\u{FFFD}", "abcdefgh", "abcdefghi", "a\0b", "zz",
        ].map(backend.storable)
        let found = try order(backend, [FetchSortDescriptor(key: "text")], limit: limit) { context in
            for text in texts { Everything(text, in: context) }
        }
        let expected = texts.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
        #expect(found.map { Array($0.utf8) } == expected.map { Array($0.utf8) })
    }

    @Test(arguments: Backend.all, [0, 100]) func doublesSortByValue(_ backend: Backend, _ limit: Int) throws {
        let values = [1, -0.0, .infinity, 0, -.infinity, -1, 1e-300, -1e300, 0.5]
        let found = try order(backend, [FetchSortDescriptor(key: "real")], limit: limit) { context in
            for value in values { Everything("\(value)", in: context).real = value }
        }
        #expect(found == ["-inf", "-1e+300", "-1.0", "-0.0", "0.0", "1e-300", "0.5", "1.0", "inf"])
    }

    @Test(arguments: Backend.all, [0, 100]) func missingValuesComeFirst(_ backend: Backend, _ limit: Int) throws {
        let values: [Int64?] = [3, nil, .min, 0, nil, .max]
        let make: (ManagedObjectContext) -> Void = { context in
            for value in values { Everything(value.map { "\($0)" } ?? "nil", in: context).optionalNumber = value }
        }
        let ascending = try order(backend, [FetchSortDescriptor(key: "optionalNumber")], limit: limit, make)
        #expect(ascending == ["nil", "nil", "\(Int64.min)", "0", "3", "\(Int64.max)"])
        let descending = try order(
            backend, [FetchSortDescriptor(key: "optionalNumber", ascending: false)], limit: limit, make)
        #expect(descending == ascending.reversed())
    }

    @Test(arguments: Backend.all, [0, 100]) func laterKeysSettleTies(_ backend: Backend, _ limit: Int) throws {
        let sort = [FetchSortDescriptor(key: "flag"), FetchSortDescriptor(key: "number", ascending: false)]
        let found = try order(backend, sort, limit: limit) { context in
            for number in 0..<6 as Range<Int64> { Everything("\(number)", number, in: context).flag = number % 2 == 0 }
        }
        #expect(found == ["5", "3", "1", "4", "2", "0"])
    }

    @Test(arguments: Backend.all, [0, 5_000]) func tiesKeepTheOrderOfKeys(_ backend: Backend, _ limit: Int) throws {
        for ascending in [true, false] {
            let sort = [FetchSortDescriptor(key: "flag", ascending: ascending)]
            let found = try order(backend, sort, limit: limit) { context in
                for number in 0..<5_000 as Range<Int64> { Everything("\(number)", number, in: context) }
            }
            #expect(found == (0..<5_000).map { "\($0)" })
        }
    }

    @Test(arguments: Backend.all) func datesSortByTime(_ backend: Backend) throws {
        let found = try order(backend, [FetchSortDescriptor(key: "moment", ascending: false)]) { context in
            for seconds in [0, -5, 1e10, 3.5] {
                Everything("\(seconds)", in: context).moment = Date(timeIntervalSinceReferenceDate: seconds)
            }
        }
        #expect(found == ["10000000000.0", "3.5", "0.0", "-5.0"])
    }

    @Test func anUnknownKeyIsRefused() throws {
        expectError(.unknownKey) { try order(.inMemory, [FetchSortDescriptor(key: "nothing")]) { _ in } }
    }
}
