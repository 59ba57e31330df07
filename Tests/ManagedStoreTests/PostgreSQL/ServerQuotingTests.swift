import TestSupport
import Testing

@testable import ManagedStore

/// Names and values within the text of a statement.
@Suite struct ServerQuotingTests {
    private let dialect = PostgreSQLDialect()

    /// A mark makes one `Character` of both, which is no quote to Swift.
    private static let mark = "\u{301}"

    @Test(arguments: ["", mark]) func aQuoteInANameIsDoubled(_ mark: String) {
        #expect(dialect.identifier("a\"\(mark)b").unicodeScalars.elementsEqual("\"a\"\"\(mark)b\"".unicodeScalars))
    }

    @Test(arguments: ["", mark]) func aQuoteInAValueIsDoubled(_ mark: String) {
        let literal = dialect.literal(.string("a'\(mark) OR true --"))
        #expect(literal.unicodeScalars.elementsEqual("'a''\(mark) OR true --'".unicodeScalars))
    }

    @Test(arguments: ["", mark]) func quotesAndBackslashesInAListAreEscaped(_ mark: String) {
        guard case .string(let list) = StoredValue.serverList([.string("\"\(mark),\\\(mark)")]) else {
            Issue.record("a list is a text")
            return
        }
        #expect(list.unicodeScalars.elementsEqual("{\"\\\"\(mark),\\\\\(mark)\"}".unicodeScalars))
    }

    @Test(.enabled(if: PostgreSQLServer.isInstalled, "PostgreSQL is not installed"))
    func aValueWithAQuoteAndAMarkIsFoundAndNothingElse() throws {
        let context = try TestStore(.postgreSQL).context()
        let texts = ["'\(Self.mark)", "'\(Self.mark) OR true --", "plain"]
        for text in texts { Everything("", in: context).optionalText = text }
        try context.save()
        for text in texts {
            let request = FetchRequest(Everything.self, predicate: .compare("optionalText", .equal, text))
            #expect(try context.fetch(request).map(\.optionalText) == [text])
        }
    }
}
