import Foundation
import ManagedStore
import Testing

/// Matching strings by their bytes, or without regard to case by Unicode's folding.
@Suite struct CaseFoldingTests {
    private func matches(
        _ backend: Backend, _ text: String, _ match: FetchPredicate.StringMatch, _ needle: String,
        _ options: FetchPredicate.StringOptions
    ) throws -> Bool {
        let store = try TestStore(backend)
        let context = store.context()
        Item(text, in: context)
        try context.save()
        return try store.context().items(.string("name", match, needle, options)).count == 1
    }

    @Test(
        arguments: Backend.all,
        [
            ("Straße", "STRASSE"), ("ÉCOLE", "école"), ("ΣΑΣ", "σας"), ("ΣΑΣ", "σασ"), ("ПРИВЕТ", "привет"),
            ("\u{212A}", "k"),
            ("ﬁ", "FI"), ("İ", "i\u{307}"), ("HELLO", "hello"), ("", ""), ("ẞ", "ß"), ("Ǆ", "ǆ"), ("µ", "μ"),
        ])
    func equalButForCase(_ backend: Backend, _ pair: (String, String)) throws {
        #expect(try matches(backend, pair.0, .matchesWhole, pair.1, .caseInsensitive))
        #expect(try matches(backend, pair.1, .matchesWhole, pair.0, .caseInsensitive))
    }

    @Test(
        arguments: Backend.all,
        [("école", "ecole"), ("é", "e\u{301}"), ("ı", "i"), ("İ", "i"), ("I", "ı"), ("a", "ａ"), ("①", "1")])
    func differentEvenWithoutRegardToCase(_ backend: Backend, _ pair: (String, String)) throws {
        #expect(try !matches(backend, pair.0, .matchesWhole, pair.1, .caseInsensitive))
        #expect(try !matches(backend, pair.1, .matchesWhole, pair.0, .caseInsensitive))
    }

    @Test(arguments: Backend.all) func bytesCountWithoutTheOption(_ backend: Backend) throws {
        #expect(try !matches(backend, "Abc", .matchesWhole, "abc", []))
        #expect(try !matches(backend, "é", .matchesWhole, "e\u{301}", []))
        #expect(try matches(backend, "e\u{301}", .beginsWith, "e", []))
        #expect(try matches(backend, "Abc", .endsWith, "bc", []))
        #expect(try !matches(backend, "Abc", .endsWith, "BC", []))
        #expect(try matches(backend, "Abc", .endsWith, "BC", .caseInsensitive))
        #expect(try matches(backend, "Straße 5", .contains, "SSE", .caseInsensitive))
        #expect(try !matches(backend, "a%c", .contains, "a_c", []))
    }

    @Test(arguments: Backend.all, FetchPredicate.StringMatch.allCases)
    func theEmptyStringIsInEveryString(_ backend: Backend, _ match: FetchPredicate.StringMatch) throws {
        let isWhole = [.matchesWhole, .like, .matches].contains(match)
        #expect(try matches(backend, "abc", match, "", []) == !isWhole)
        #expect(try matches(backend, "", match, "", []))
        #expect(try !matches(backend, "", match, "a", []))
    }

    @Test(arguments: Backend.offering(.nul)) func nulBytesAreBytesLikeOthers(_ backend: Backend) throws {
        #expect(try matches(backend, "a\0b", .endsWith, "b", []))
        #expect(try matches(backend, "a\0b", .contains, "\0", []))
        #expect(try matches(backend, "a\0B", .endsWith, "\0b", .caseInsensitive))
        #expect(try !matches(backend, "a\0b", .matchesWhole, "a", []))
    }
}
