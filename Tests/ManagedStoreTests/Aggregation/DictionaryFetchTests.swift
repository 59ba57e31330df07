import Foundation
import ManagedStore
import Testing

/// Fetching dictionaries: properties, functions, groups.
@Suite struct DictionaryFetchTests {
    /// Six objects: "a" with 1, 2 and nothing, "b" with 3 and 3, "c" with nothing.
    private func context(_ backend: Backend) throws -> ManagedObjectContext {
        let context = try TestStore(backend).context()
        let rows: [(String, Int64?)] = [("a", 1), ("b", 3), ("a", nil), ("c", nil), ("a", 2), ("b", 3)]
        for (number, row) in rows.enumerated() {
            let object = Everything(row.0, Int64(number), in: context)
            object.optionalNumber = row.1
            object.optionalReal = row.1.map { Double($0) / 2 }
            object.optionalAmount = row.1.map { Decimal($0) / 10 }
            object.optionalText = row.1.map { "\($0)" }
        }
        try context.save()
        return context
    }

    private func request(
        _ properties: [FetchExpression], groupBy groups: [String] = [], having: FetchPredicate? = nil,
        sort: [FetchSortDescriptor] = []
    ) -> FetchRequest<Everything> {
        var request = FetchRequest(Everything.self)
        request.resultType = .dictionary
        request.propertiesToFetch = properties
        request.propertiesToGroupBy = groups
        request.havingPredicate = having
        request.sortDescriptors = sort
        return request
    }

    /// The results, each as its values in the order of the properties.
    private func values(_ backend: Backend, _ request: FetchRequest<Everything>) throws -> [[StoredValue]] {
        try context(backend).fetchDictionaries(request).map { record in
            request.propertiesToFetch.map { record[$0.name] ?? .string("missing") }
        }
    }

    @Test(arguments: Backend.strictly) func propertiesComeUnderTheirNames(_ backend: Backend) throws {
        var request = request(["text", .property("optionalNumber", as: "number")])
        request.predicate = .compare("text", .notEqual, "a")
        request.sortDescriptors = [FetchSortDescriptor(key: "number", ascending: false)]
        #expect(
            try values(backend, request) == [
                [.string("b"), .integer64(3)], [.string("b"), .integer64(3)], [.string("c"), .null],
            ])
    }

    @Test(arguments: Backend.strictly) func withoutPropertiesAllAttributesCome(_ backend: Backend) throws {
        let context = try context(backend)
        let object = try #require(try context.fetch(FetchRequest(Everything.self)).first)
        let record = try #require(try context.fetchDictionaries(request([])).first)
        #expect(Set(record.keys) == Set(Everything.attributes.map(\.description.name)))
        for (name, value) in record { #expect(try object.storedValue(forKey: name) == value, "\(name)") }
    }

    @Test(arguments: Backend.strictly) func functionsWithoutGroupsMakeOneResult(_ backend: Backend) throws {
        let functions: [FetchExpression] = [
            .count(as: "all"), .count("optionalNumber", as: "some"), .countDistinct("optionalNumber", as: "different"),
            .sum("optionalNumber", as: "sum"), .min("optionalNumber", as: "min"), .max("optionalText", as: "max"),
            .average("optionalNumber", as: "average"), .sum("optionalReal", as: "realSum"),
            .average("optionalReal", as: "realAverage"), .sum("optionalAmount", as: "amount"),
            .average("optionalAmount", as: "amountAverage"),
        ]
        #expect(
            try values(backend, request(functions)) == [
                [
                    .integer64(6), .integer64(4), .integer64(3), .integer64(9), .integer64(1), .string("3"),
                    .double(2.25), .double(4.5), .double(1.125), .decimal(Decimal(9) / 10),
                    .decimal(Decimal(225) / 1000),
                ]
            ])
    }

    @Test(arguments: Backend.strictly) func functionsOfNothing(_ backend: Backend) throws {
        var request = request([
            .count(as: "all"), .sum("number", as: "sum"), .sum("real", as: "real"), .sum("amount", as: "amount"),
            .average("number", as: "average"), .min("text", as: "min"), .countDistinct("text", as: "different"),
        ])
        request.predicate = .value(false)
        #expect(
            try values(backend, request) == [
                [.integer64(0), .integer64(0), .double(0), .decimal(0), .null, .null, .integer64(0)]
            ])
        request.propertiesToGroupBy = ["text"]
        #expect(try values(backend, request) == [])
    }

    @Test(arguments: Backend.strictly) func groupsComeInTheirOrder(_ backend: Backend) throws {
        let request = request(
            ["text", .count(as: "count"), .sum("optionalNumber", as: "sum"), .average("optionalNumber", as: "mean")],
            groupBy: ["text"])
        #expect(
            try values(backend, request) == [
                [.string("a"), .integer64(3), .integer64(3), .double(1.5)],
                [.string("b"), .integer64(2), .integer64(6), .double(3)],
                [.string("c"), .integer64(1), .integer64(0), .null],
            ])
    }

    @Test(arguments: Backend.strictly) func missingValuesAreAGroup(_ backend: Backend) throws {
        let request = request([.count(as: "count")], groupBy: ["optionalNumber"])
        #expect(try values(backend, request) == [[.integer64(2)], [.integer64(1)], [.integer64(1)], [.integer64(2)]])
    }

    @Test(arguments: Backend.strictly) func groupsBySeveralPropertiesAndUnderOtherNames(_ backend: Backend) throws {
        let request = request(
            [.property("text", as: "name"), .count(as: "count")], groupBy: ["name", "optionalNumber"],
            sort: [FetchSortDescriptor(key: "count", ascending: false), FetchSortDescriptor(key: "optionalNumber")])
        #expect(
            try values(backend, request) == [
                [.string("b"), .integer64(2)], [.string("a"), .integer64(1)], [.string("c"), .integer64(1)],
                [.string("a"), .integer64(1)], [.string("a"), .integer64(1)],
            ])
    }

    @Test(arguments: Backend.strictly) func havingChoosesGroups(_ backend: Backend) throws {
        func names(_ having: FetchPredicate) throws -> [StoredValue] {
            let request = request(
                ["text", .count(as: "count"), .sum("optionalNumber", as: "sum"), .max("optionalText", as: "max")],
                groupBy: ["text"], having: having)
            return try values(backend, request).map { $0[0] }
        }
        #expect(try names(.compare("count", .greater, 1)) == [.string("a"), .string("b")])
        #expect(try names(.compare("sum", .less, 6) && .compare("text", .notEqual, "c")) == [.string("a")])
        #expect(try names(.isNil("max")) == [.string("c")])
        #expect(try names(.string("text", .matchesWhole, "B", .caseInsensitive)) == [.string("b")])
        #expect(try names(.in("sum", [0, 6])) == [.string("b"), .string("c")])
    }

    @Test(arguments: Backend.strictly) func limitsApplyToResults(_ backend: Backend) throws {
        var request = request(["text"], groupBy: ["text"], sort: [FetchSortDescriptor(key: "text", ascending: false)])
        (request.fetchOffset, request.fetchLimit) = (1, 1)
        #expect(try values(backend, request) == [[.string("b")]])
        (request.fetchOffset, request.fetchLimit) = (2, 0)
        #expect(try values(backend, request) == [[.string("a")]])
        request.propertiesToGroupBy = []
        (request.fetchOffset, request.fetchLimit) = (3, 2)
        #expect(try values(backend, request) == [[.string("a")], [.string("a")]])
    }

    @Test(arguments: Backend.strictly) func distinctResultsComeOnce(_ backend: Backend) throws {
        var request = request(["text", "optionalNumber"])
        request.returnsDistinctResults = true
        let all: [[StoredValue]] = [
            [.string("a"), .null], [.string("a"), .integer64(1)], [.string("a"), .integer64(2)],
            [.string("b"), .integer64(3)], [.string("c"), .null],
        ]
        #expect(try values(backend, request) == all)
        request.sortDescriptors = [FetchSortDescriptor(key: "optionalNumber", ascending: false)]
        request.fetchLimit = 2
        #expect(try values(backend, request) == [all[3], all[2]])
        let counts = self.request([.count(as: "count")], groupBy: ["optionalNumber"])
        var distinctCounts = counts
        distinctCounts.returnsDistinctResults = true
        #expect(try values(backend, distinctCounts) == [[.integer64(1)], [.integer64(2)]])
    }

    @Test(arguments: Backend.strictly) func stringsAreDistinctByTheirBytes(_ backend: Backend) throws {
        let context = try TestStore(backend).context()
        for text in ["é", "e\u{301}", "É", "é"] { Everything(text, in: context) }
        try context.save()
        var request = request([.countDistinct("text", as: "count")])
        #expect(try context.fetchDictionaries(request) == [["count": .integer64(3)]])
        request = self.request(["text"], groupBy: ["text"])
        #expect(try context.fetchDictionaries(request).count == 3)
    }

    @Test(arguments: Backend.strictly) func orderMayIgnoreCaseAndUseWhatIsNotFetched(_ backend: Backend) throws {
        let context = try TestStore(backend).context()
        for (number, text) in ["b", "A", "a", "B"].enumerated() { Everything(text, Int64(-number), in: context) }
        try context.save()
        let request = request(
            ["text"],
            sort: [FetchSortDescriptor(key: "text", options: .caseInsensitive), FetchSortDescriptor(key: "number")])
        #expect(try context.fetchDictionaries(request).map { $0["text"] } == ["a", "A", "B", "b"].map { .string($0) })
    }

    @Test(arguments: Backend.strictly) func sumsDoNotOverflow(_ backend: Backend) throws {
        let context = try TestStore(backend).context()
        for (number, real) in [(Int64.max, 1.7e308), (.max, 1.7e308), (-1, -1.0)] {
            let object = Everything("", number, in: context)
            object.real = real
        }
        try context.save()
        let request = request([
            .sum("number", as: "sum"), .average("number", as: "mean"), .sum("real", as: "real"),
            .average("real", as: "realMean"),
        ])
        let record = try #require(try context.fetchDictionaries(request).first)
        #expect(record["sum"] == .double(0x1p64))
        #expect(record["mean"] == .double(0x1p64 / 3))
        #expect(record["real"] == .double(.infinity))
        #expect(record["realMean"] == .double(1.7e308 / 3 * 2))
    }

    @Test(arguments: Backend.strictly) func oppositeInfinitiesHaveNoSum(_ backend: Backend) throws {
        let context = try TestStore(backend).context()
        for real in [Double.infinity, 1, -Double.infinity] as [Double] { Everything("", in: context).real = real }
        try context.save()
        let request = request([
            .sum("real", as: "sum"), .average("real", as: "mean"), .min("real", as: "min"), .max("real", as: "max"),
        ])
        #expect(
            try context.fetchDictionaries(request) == [
                ["sum": .null, "mean": .null, "min": .double(-.infinity), "max": .double(.infinity)]
            ])
    }

    @Test(arguments: Backend.strictly) func sumsDoNotDependOnTheOrder(_ backend: Backend) throws {
        let context = try TestStore(backend).context()
        let tenths = [0.1, 0.2, 0.3, 1e16, -1e16]
        for (number, tenth) in tenths.enumerated() {
            let object = Everything("", Int64(number), in: context)
            object.real = tenth
            object.amount = Decimal(number + 1) / 10
        }
        try context.save()
        let request = request([.sum("real", as: "real"), .sum("amount", as: "amount"), .average("amount", as: "mean")])
        #expect(
            try context.fetchDictionaries(request) == [
                ["real": .double(0.6), "amount": .decimal(Decimal(15) / 10), "mean": .decimal(Decimal(3) / 10)]
            ])
    }

    @Test(arguments: Backend.strictly) func unsavedChangesAreRefusedUnlessLeftOut(_ backend: Backend) throws {
        let context = try context(backend)
        Everything("new", in: context)
        var request = request([.count(as: "count")])
        let error = expectError(.invalidRequest) { try context.fetchDictionaries(request) }
        #expect(error?.message.contains("unsaved") == true)
        request.includesPendingChanges = false
        #expect(try context.fetchDictionaries(request) == [["count": .integer64(6)]])
        try context.save()
        request.includesPendingChanges = true
        #expect(try context.fetchDictionaries(request) == [["count": .integer64(7)]])
    }

    @Test(arguments: Backend.strictly) func executingHandsBackDictionaries(_ backend: Backend) throws {
        let request = request([.count(as: "count")])
        guard case .dictionaries(let found) = try context(backend).execute(request) else {
            Issue.record("no dictionaries")
            return
        }
        #expect(found == [["count": .integer64(6)]])
    }
}
