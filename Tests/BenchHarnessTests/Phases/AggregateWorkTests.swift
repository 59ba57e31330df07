import Foundation
import Testing

@testable import BenchHarness

@Suite struct AggregateWorkTests {
    /// Takes items from their lists.
    private struct Unlisting: ExpectedStep {
        func apply(to record: inout [FieldValue], _ ordinal: Int) -> ExpectedEffect {
            record[1] = .null
            return .saved(isChanged: true)
        }
    }

    private static let sum = AggregateWork(.sum, of: "n")

    private func row(_ work: AggregateWork, _ groups: [AggregatedGroup]?) throws -> ResultRow {
        var driver = FakeDriver()
        driver.aggregates = groups
        return try #require(
            try driver.reports([Phase(name: "sum", from: .seeded, work: .aggregate(work))]).first?.row)
    }

    /// The sum of 0 to 9.
    @Test func theSumOfAllRecordsIsVerified() throws {
        let row = try row(Self.sum, nil)
        #expect(row.status == .ok && row.verified == true, "\(row.error)")
        #expect(row.records == 10 && row.mode == "sum" && row.operations == 1)
    }

    @Test(
        arguments: [
            (sum, [.init(value: .int64(44))], "the sum is 44; expected 45"),
            (sum, [], "there are 0 groups; expected 1"),
            (
                sum, [.init(value: .int64(45)), .init(value: .int64(45))],
                "there are two groups of no value; expected one"
            ),
            (sum, [.init(group: .bool(true), value: .int64(45))], "there is a group of true; expected none"),
            (AggregateWork(.average, of: "n"), [.init(value: .int64(4))], "the average is 4; expected 4.5"),
            (AggregateWork(.minimum, of: "n"), [.init(value: .int64(1))], "the minimum is 1; expected 0"),
            (AggregateWork(.maximum, of: "n"), [.init(value: .double(9))], "the maximum is 9.0; expected 9"),
            (AggregateWork(.count), [.init(value: .int64(9))], "the count is 9; expected 10"),
            (AggregateWork(.count), [.init(value: .null)], "the count is no value; expected 10"),
        ] as [(AggregateWork, [AggregatedGroup], String)])
    func aWrongValueFails(work: AggregateWork, groups: [AggregatedGroup], error: String) throws {
        let row = try row(work, groups)
        #expect(row.status == .failed && row.error == error, "\(row.error)")
    }

    /// By the rules that drivers follow, on records that the harness makes.
    @Test func nullsAreLeftOutAndGroupsAreThoseOfTheRecords() {
        let values: [FieldValue] = [.double(1.5), .null, .double(2.5), .null]
        let entity = EntitySpec(
            name: "Item",
            attributes: [
                AttributeSpec(name: "weight", type: .double, generator: .choice(values: values, weights: nil)),
                AttributeSpec(name: "none", type: .int64, generator: .constant(.null)),
            ])
        var store = ExpectedStore(generator: RecordGenerator(entity: entity, seed: 1))
        store.seed(records: 40)
        var sums: [FieldValue: Double] = [:]
        store.forEachRecord { record in
            if case .double(let weight) = record[0] { sums[record[0], default: 0] += weight }
            if record[0] == .null { sums[.null] = 0 }
        }
        let groups = sums.map { AggregatedGroup(group: $0, value: $0 == .null ? .null : .double($1)) }
        #expect(groups.count == 3)
        let work = AggregateWork(.sum, of: "weight", groupBy: "weight")
        #expect(store.problem(of: work, groups) == nil)
        #expect(store.problem(of: work, groups.dropLast()) == "there are 2 groups; expected 3")
        for zero: FieldValue in [.null, .int64(0), .double(0)] {
            #expect(store.problem(of: AggregateWork(.sum, of: "none"), [AggregatedGroup(value: zero)]) == nil)
        }
        let mean = AggregateWork(.average, of: "none")
        #expect(store.problem(of: mean, [AggregatedGroup(value: .null)]) == nil)
        #expect(
            store.problem(of: mean, [AggregatedGroup(value: .double(0))]) == "the average is 0.0; expected null")
        let count = AggregateWork(.count, filter: .compare(key: "weight", .equal, .null))
        let nulls = Int64(store.count(matching: count.filter))
        #expect(store.problem(of: count, [AggregatedGroup(value: .int64(nulls))]) == nil && nulls > 0)
    }

    /// The items of each list, by the number and by the title of the list.
    @Test func groupsAreThoseOfRelatedRecords() {
        var store = ExpectedStore([ListFixture.item, ListFixture.list].map { RecordGenerator(entity: $0, seed: 1) })
        store.seed(records: 200)
        var counts: [Int64: Int64] = [:]
        store.forEachRecord { if case .int64(let list) = $0[1] { counts[list, default: 0] += 1 } }
        let byNumber = counts.map { AggregatedGroup(group: .int64($0), value: .int64($1)) }
        let byTitle = counts.map { AggregatedGroup(group: .string("List \($0 - 1)"), value: .int64($1)) }
        let (numbers, titles) = (AggregateWork(.count, groupBy: "list"), AggregateWork(.count, groupBy: "list.title"))
        #expect(counts.count == 10 && counts.values.reduce(0, +) == 200)
        #expect(store.problem(of: numbers, byNumber) == nil && store.problem(of: titles, byTitle) == nil)
        #expect(store.problem(of: titles, byNumber)?.contains("; expected none") == true)
        #expect(store.problem(of: titles, byTitle.dropLast()) == "there are 9 groups; expected 10")
        // Where the relationship leads nowhere, there is neither a number nor a title.
        store.append(Unlisting())
        let gone = [AggregatedGroup(value: .int64(200))]
        #expect(store.problem(of: numbers, gone) == nil && store.problem(of: titles, gone) == nil)
    }

    /// The order of additions makes the last digits of a sum.
    @Test func sumsOfDoublesMayDifferInTheirLastDigits() {
        let entity = EntitySpec(
            name: "Item",
            attributes: [AttributeSpec(name: "x", type: .double, generator: .uniform(min: -1, max: 1))])
        var store = ExpectedStore(generator: RecordGenerator(entity: entity, seed: 1))
        store.seed(records: 1_000)
        var values: [Double] = []
        store.forEachRecord { if case .double(let value) = $0[0] { values.append(value) } }
        let sum = values.sorted().reduce(0, +)
        let work = AggregateWork(.sum, of: "x")
        #expect(store.problem(of: work, [AggregatedGroup(value: .double(sum))]) == nil)
        #expect(store.problem(of: work, [AggregatedGroup(value: .double(sum + 1e-4))]) != nil)
    }

    // MARK: - Reading

    private func json(_ keys: String) -> String {
        let head = ScenarioFixture.valid.components(separatedBy: #""phases": ["#)[0]
        return head + #""phases": [{ "name": "sum", "kind": "aggregate", "from": "seeded", \#(keys) }]}"#
    }

    @Test func anAggregateIsRead() throws {
        let keys = """
            "function": "maximum", "attribute": "createdAt", "group_by": "done",
            "filter": { "key": "score", "op": ">", "value": 100 }
            """
        let filter = FilterSpec.compare(key: "score", .greater, .int64(100))
        #expect(
            try ScenarioFixture.read(json(keys)).phases[0].work
                == .aggregate(AggregateWork(.maximum, of: "createdAt", filter: filter, groupBy: "done")))
    }

    @Test(
        arguments: [
            ("list", AggregateWork(.count, groupBy: "list")),
            ("list.title", AggregateWork(.count, groupBy: "list.title")),
            ("name", AggregateWork(.count, groupBy: "name")),
        ])
    func groupsMayBeThoseOfARelationship(key: String, work: AggregateWork) throws {
        let phase = #""kind": "aggregate", "from": "seeded", "function": "count", "group_by": "\#(key)""#
        #expect(try ScenarioFixture.read(ListFixture.json(phase)).phases[0].work == .aggregate(work))
    }

    @Test(arguments: [
        (#""group_by": "list.titel""#, "Did you mean \"list.title\"?"),
        (#""group_by": "items", "entity": "List""#, "groups by \"items\", which leads to many records"),
        (#""group_by": "items.name", "entity": "List""#, "groups by \"items.name\", which leads to many records"),
    ])
    func groupsOfManyOrNoRecordsAreRefused(keys: String, text: String) {
        assertInvalidScenario(
            ListFixture.json(#""kind": "aggregate", "from": "seeded", "function": "count", \#(keys)"#),
            at: "phases[0].group_by", saying: text)
    }

    @Test(arguments: [
        (#""attribute": "score""#, "phases[0]", "the key \"function\" is missing"),
        (
            #""function": "mean", "attribute": "score""#, "phases[0].function",
            "unknown function \"mean\"; expected one of count, sum, average, minimum, maximum"
        ),
        (
            #""function": "sum", "attribute": "scor""#, "phases[0].attribute",
            "unknown attribute \"scor\"; expected one of name, createdAt, done, score. Did you mean \"score\"?"
        ),
        (
            #""function": "sum""#, "phases[0]",
            "the sum of no attribute; expected the key \"attribute\", or the function count"
        ),
        (
            #""function": "count", "attribute": "score""#, "phases[0].attribute",
            "the count of an attribute; expected no \"attribute\": a count is of records"
        ),
        (
            #""function": "sum", "attribute": "name""#, "phases[0].attribute",
            "the sum of name, which is a string; expected an attribute of type int64 or double"
        ),
        (
            #""function": "minimum", "attribute": "done""#, "phases[0].attribute",
            "the minimum of done, which is a bool; expected an attribute of type one of int64, double, date"
        ),
        (
            #""function": "sum", "attribute": "score", "group_by": "dne""#, "phases[0].group_by",
            "Did you mean \"done\"?"
        ),
    ])
    func mistakesAreNamedWithTheirPlace(keys: String, path: String, text: String) {
        assertInvalidScenario(json(keys), at: path, saying: text)
    }
}
