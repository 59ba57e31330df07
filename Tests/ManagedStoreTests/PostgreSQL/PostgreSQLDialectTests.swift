import Testing

@testable import ManagedStore

@Suite struct PostgreSQLDialectTests {
    private let dialect = PostgreSQLDialect()

    @Test func namesAreQuoted() {
        #expect(dialect.identifier("ZITEM") == "\"ZITEM\"")
        #expect(dialect.identifier("A\"B") == "\"A\"\"B\"")
    }

    /// The server would cut both to the same 63 bytes.
    @Test func longNamesStayDifferent() {
        let (one, other) = (String(repeating: "Ä", count: 40) + "1", String(repeating: "Ä", count: 40) + "2")
        let names = [PostgreSQLDialect.fitted(one), PostgreSQLDialect.fitted(other)]
        #expect(names[0] != names[1] && names.allSatisfy { $0.utf8.count <= 63 && $0.hasPrefix("ÄÄÄ") })
        let short = String(repeating: "A", count: 63)
        #expect(PostgreSQLDialect.fitted(short) == short)
    }

    @Test func literalsAreQuoted() {
        #expect(dialect.literal(.string("it's")) == "'it''s'")
        #expect(dialect.literal(.string("a\\b")) == "'a\\b'")
        #expect(dialect.literal(.null) == "NULL")
        #expect(dialect.literal(.boolean(true)) == "'t'")
        #expect(dialect.literal(.integer64(.min)) == "'-9223372036854775808'")
        #expect(dialect.literal(.double(0.1)) == "'0.1'")
        #expect(dialect.literal(.binaryData(.init([0, 255]))) == "'\\x00ff'")
    }

    @Test func listsAreOneParameter() {
        #expect(StoredValue.serverList([.integer64(1), .integer64(-2)]) == .string("{1,-2}"))
        #expect(StoredValue.serverList([.string("a\"b\\c"), .string("")]) == .string("{\"a\\\"b\\\\c\",\"\"}"))
    }

    @Test func valuesCanStandInTheText() {
        let fragment = SQLFragment(sql: "\"ZNAME\" = ?", bindings: [.string("a?b")])
        #expect(fragment.statement(in: dialect).sql == "\"ZNAME\" = $1")
        #expect(fragment.statement(in: dialect.withoutParameters).sql == "\"ZNAME\" = 'a?b'")
    }
}
