import BenchHarness
import CSQLite
import Foundation
import Testing

@testable import BenchDrivers

@Suite struct FilterTests {
    private static let entity = EntitySpec(
        name: "Row",
        attributes: [
            AttributeSpec(name: "text", type: .string, generator: .constant(.null)),
            AttributeSpec(name: "flag", type: .bool, generator: .constant(.null)),
            AttributeSpec(name: "number", type: .int64, generator: .constant(.null)),
        ])

    private static let rows: [[FieldValue]] = [
        [.null, .null, .null],
        [.string(""), .bool(false), .int64(-1)],
        [.string("Straße%"), .bool(true), .int64(0)],
        [.string("straSSe_"), .bool(true), .int64(7)],
        [.string("a\u{301}"), .bool(false), .int64(7)],
    ]

    @Test func aMissingValueIsAValueOnlyForEquality() throws {
        #expect(try matches(.compare(key: "flag", .equal, .null)) == [0])
        #expect(try matches(.compare(key: "flag", .notEqual, .null)) == [1, 2, 3, 4])
        #expect(try matches(.compare(key: "flag", .notEqual, .bool(true))) == [0, 1, 4])
        #expect(try matches(.compare(key: "number", .less, .int64(5))) == [1, 2])
        #expect(try matches(.compare(key: "number", .less, .null)) == [])
        #expect(try matches(.not(.compare(key: "number", .less, .int64(5)))) == [0, 3, 4])
        #expect(try matches(.not(.compare(key: "text", .contains, .string("S")))) == [0, 1, 4])
    }

    @Test func stringsMatchByTheirBytes() throws {
        #expect(try matches(.compare(key: "text", .contains, .string("%"))) == [2])
        #expect(try matches(.compare(key: "text", .contains, .string("_"))) == [3])
        #expect(try matches(.compare(key: "text", .contains, .string("ß"))) == [2])
        #expect(try matches(.compare(key: "text", .beginsWith, .string("Stra"))) == [2])
        #expect(try matches(.compare(key: "text", .beginsWith, .string("a"))) == [4])
        #expect(try matches(.compare(key: "text", .endsWith, .string("e_"))) == [3])
        #expect(try matches(.compare(key: "text", .endsWith, .string("xxstraSSe_"))) == [])
        #expect(try matches(.compare(key: "text", .equal, .string("\u{E1}"))) == [])
        #expect(try matches(.compare(key: "text", .greater, .string("a"))) == [3, 4])
    }

    @Test(arguments: ["contains", "begins_with", "ends_with"])
    func everyTextContainsTheEmptyString(_ comparison: String) throws {
        let comparison = try #require(FilterSpec.Comparison(rawValue: comparison))
        #expect(try matches(.compare(key: "text", comparison, .string(""))) == [1, 2, 3, 4])
    }

    @Test func conditionsAreJoined() throws {
        let flag = FilterSpec.compare(key: "flag", .equal, .bool(true))
        let seven = FilterSpec.compare(key: "number", .equal, .int64(7))
        #expect(try matches(.and([flag, seven])) == [3])
        #expect(try matches(.or([flag, seven])) == [2, 3, 4])
        #expect(try matches(.not(.or([flag, seven]))) == [0, 1])
        #expect(try matches(.and([])) == [0, 1, 2, 3, 4])
        #expect(try matches(.or([])) == [])
    }

    @Test func listsAndRangesLeaveOutWhatIsMissing() throws {
        let list = FilterSpec.oneOf(key: "text", [.string(""), .string("straSSe_"), .string("none")])
        #expect(try matches(list) == [1, 3])
        #expect(try matches(.not(list)) == [0, 2, 4])
        let range = FilterSpec.between(key: "number", .int64(-1), .int64(0))
        #expect(try matches(range) == [1, 2])
        #expect(try matches(.not(range)) == [0, 3, 4])
        #expect(try matches(.oneOf(key: "flag", [.bool(true)])) == [2, 3])
        #expect(try matches(.between(key: "text", .string("a"), .string("b"))) == [4])
    }

    @Test func conditionsThatCanNeverMatchAreRefused() throws {
        #expect(throws: DriverError.self) { try matches(.oneOf(key: "text", [.int64(1)])) }
        #expect(throws: DriverError.self) { try matches(.between(key: "number", .int64(1), .string("2"))) }
        #expect(throws: DriverError.self) { try matches(.compare(key: "text", .equal, .int64(1))) }
        #expect(throws: DriverError.self) { try matches(.compare(key: "number", .contains, .int64(1))) }
        #expect(throws: RunError.self) { try matches(.compare(key: "txt", .equal, .null)) }
    }

    /// The positions of the rows that match.
    private func matches(_ spec: FilterSpec) throws -> [Int] {
        let table = RecordTable(Schema(Self.entity))
        let connection = try PlainConnection(
            file: URL(fileURLWithPath: "/filter-tests"), flags: SQLITE_OPEN_READWRITE | SQLITE_OPEN_MEMORY)
        for statement in table.definition { try connection.execute(statement) }
        for (position, row) in Self.rows.enumerated() {
            try connection.execute(
                "INSERT INTO ZROW (Z_PK, ZTEXT, ZFLAG, ZNUMBER) VALUES (?, ?, ?, ?)", [.int64(Int64(position))] + row)
        }
        var parameters = SQLParameters(.sqlite)
        let condition = try table.condition(spec, &parameters)
        let query = SQLQuery(
            sql: "SELECT Z_PK FROM ZROW WHERE \(condition) ORDER BY Z_PK", values: parameters.values)
        var found: [Int] = []
        try connection.read(query, isKept: false) { found.append(Int($0.int64(0))) }
        return found
    }
}
