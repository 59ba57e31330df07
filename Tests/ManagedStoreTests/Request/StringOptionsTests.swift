import Foundation
import ManagedStore
import Testing

/// Ignoring diacritics, comparing and sorting with options, wildcards and regular expressions.
@Suite struct StringOptionsTests {
    private static let both: FetchPredicate.StringOptions = [.caseInsensitive, .diacriticInsensitive]

    /// Those of `texts` that a predicate on their optional text finds, in order; "nil" stands for a missing one.
    private func found(
        _ backend: Backend, _ texts: [String], _ predicate: FetchPredicate
    ) throws -> [String] {
        let context = try TestStore(backend).context()
        for (number, text) in texts.enumerated() {
            Everything("", Int64(number), in: context).optionalText = text == "nil" ? nil : text
        }
        try context.save()
        let request = FetchRequest(Everything.self, sortBy: [SortDescriptor(\.number)], predicate: predicate)
        return try context.fetch(request).map { $0.optionalText ?? "nil" }
    }

    private func matches(
        _ backend: Backend, _ text: String, _ match: FetchPredicate.StringMatch, _ pattern: String,
        _ options: FetchPredicate.StringOptions = []
    ) throws -> Bool {
        try found(backend, [text], .string("optionalText", match, pattern, options)).count == 1
    }

    @Test(
        arguments: Backend.all,
        [
            ("é", "e"), ("e\u{301}", "é"), ("Ångström", "Angstrom"), ("\u{212B}", "A"), ("ở", "o"), ("ё", "е"),
            ("ά", "α"),
        ])
    func equalButForDiacritics(_ backend: Backend, _ pair: (String, String)) throws {
        #expect(try matches(backend, pair.0, .matchesWhole, pair.1, .diacriticInsensitive))
        #expect(try matches(backend, pair.1, .matchesWhole, pair.0, .diacriticInsensitive))
        #expect(try !matches(backend, pair.0, .matchesWhole, pair.1, .caseInsensitive))
        #expect(try matches(backend, pair.0.uppercased(), .matchesWhole, pair.1, Self.both))
        #expect(try !matches(backend, pair.0.uppercased(), .matchesWhole, pair.1.lowercased(), .diacriticInsensitive))
    }

    @Test(arguments: Backend.all, [("ø", "o"), ("ł", "l"), ("ß", "s"), ("が", "か"), ("कु", "क"), ("ı", "i")])
    func lettersByThemselvesAreNoDiacritics(_ backend: Backend, _ pair: (String, String)) throws {
        #expect(try !matches(backend, pair.0, .matchesWhole, pair.1, Self.both))
    }

    @Test(arguments: Backend.all) func matchingIgnoresWhatTheOptionsSay(_ backend: Backend) throws {
        #expect(try matches(backend, "CAFÉ au lait", .beginsWith, "cafe", Self.both))
        #expect(try matches(backend, "un café", .endsWith, "FE\u{301}", Self.both))
        #expect(try matches(backend, "un café noir", .contains, "fe n", .diacriticInsensitive))
        #expect(try !matches(backend, "un café noir", .contains, "FE N", .diacriticInsensitive))
    }

    @Test(arguments: Backend.all) func comparingIgnoresWhatTheOptionsSay(_ backend: Backend) throws {
        let texts = ["Éa", "ea", "EB", "f", "nil", ""]
        func compare(_ comparison: FetchPredicate.Comparison, _ text: String?) throws -> [String] {
            try found(backend, texts, .compare("optionalText", comparison, text, Self.both))
        }
        #expect(try compare(.equal, "EÁ") == ["Éa", "ea"])
        #expect(try compare(.notEqual, "EÁ") == ["EB", "f", "nil", ""])
        #expect(try compare(.less, "eb") == ["Éa", "ea", ""])
        #expect(try compare(.lessOrEqual, "éb") == ["Éa", "ea", "EB", ""])
        #expect(try compare(.greater, "ÉA") == ["EB", "f"])
        #expect(try compare(.greaterOrEqual, "EB") == ["EB", "f"])
        #expect(try compare(.equal, nil) == ["nil"])
        #expect(try compare(.notEqual, nil) == ["Éa", "ea", "EB", "f", ""])
        #expect(try compare(.less, nil) == [])
    }

    @Test(arguments: Backend.all) func membershipIgnoresWhatTheOptionsSay(_ backend: Backend) throws {
        let texts = ["Éa", "ea", "b", "nil"]
        #expect(try found(backend, texts, .in("optionalText", ["EA", "x"], Self.both)) == ["Éa", "ea"])
        #expect(try found(backend, texts, .in("optionalText", ["EA", nil], .caseInsensitive)) == ["ea", "nil"])
        #expect(try found(backend, texts, !.in("optionalText", ["EA"], Self.both)) == ["b", "nil"])
        #expect(try found(backend, texts, .in("optionalText", [String](), Self.both)) == [])
    }

    @Test(arguments: Backend.all) func betweenIncludesItsEnds(_ backend: Backend) throws {
        let texts = ["a", "B", "Ç", "d", "nil"]
        #expect(try found(backend, texts, .between("optionalText", "b", and: "c", Self.both)) == ["B", "Ç"])
        #expect(try found(backend, texts, .between("optionalText", "B", and: "a")) == ["a", "B"])
        #expect(try found(backend, texts, .between("optionalText", "b", and: String?.none)) == [])
        #expect(try found(backend, texts, .between("number", 1 as Int64, and: 2)) == ["B", "Ç"])
        #expect(try found(backend, texts, .between("number", 2 as Int64, and: 1)) == [])
        #expect(try found(backend, texts, !.between("number", 1 as Int64, and: 3)) == ["a", "nil"])
    }

    @Test(
        arguments: Backend.all,
        [
            ("abc", "a*", true), ("abc", "*c", true), ("abc", "a?c", true), ("abc", "*b*", true), ("abc", "abc", true),
            ("abc", "a?", false), ("abc", "b*", false), ("", "*", true), ("", "?", false), ("", "", true),
            ("é", "?", true), ("e\u{301}", "?", false), ("e\u{301}", "??", true), ("𝔸b", "?b", true),
            ("éb", "*??b", false), ("aab", "*ab", true), ("abcabd", "*ab?", true), ("a*c", "a\\*c", true),
            ("abc", "a\\*c", false), ("a?", "a\\?", true), ("ab", "a\\?", false), ("a\\b", "a\\\\b", true),
            ("a\\b", "a\\b", true), ("a\\", "a\\", true), ("ABC", "a*", false), ("mississippi", "m*iss*ip*", true),
            ("mississippi", "m*iss*ipx*", false), ("a%_", "a%_", true), ("axx", "a%_", false), ("a\0b", "a?b", true),
        ])
    func wildcardsMatch(_ backend: Backend, _ example: (text: String, pattern: String, matches: Bool)) throws {
        #expect(try matches(backend, backend.storable(example.text), .like, example.pattern) == example.matches)
    }

    @Test(arguments: Backend.all) func wildcardsIgnoreWhatTheOptionsSay(_ backend: Backend) throws {
        #expect(try matches(backend, "Élan Vital", .like, "E?AN *", Self.both))
        #expect(try !matches(backend, "Élan Vital", .like, "E?AN *", .caseInsensitive))
        // Folded, "ß" is two letters.
        #expect(try matches(backend, "Maß", .like, "MA??", .caseInsensitive))
    }

    @Test(
        arguments: Backend.all,
        [
            ("abc", "a.c", true), ("abcd", "a.c", false), ("ab", "a|ab", true), ("42", "[0-9]+", true), ("", "", true),
            ("a\nb", "a.b", false), ("a\nb", "(?s)a.b", true), ("ABC", "abc", false), ("é", ".", true),
            ("𝔸", ".", true),
        ])
    func regularExpressions(_ backend: Backend, _ example: (text: String, pattern: String, matches: Bool)) throws {
        #expect(try matches(backend, example.text, .matches, example.pattern) == example.matches)
    }

    @Test(arguments: Backend.all) func regularExpressionsIgnoreWhatTheOptionsSay(_ backend: Backend) throws {
        #expect(try matches(backend, "ABC", .matches, "[a-c]+", .caseInsensitive))
        #expect(try matches(backend, "ÀÉ", .matches, "[a-e]+", Self.both))
        #expect(try matches(backend, "ae", .matches, "àé", .diacriticInsensitive))
        #expect(try !matches(backend, "AE", .matches, "àé", .diacriticInsensitive))
        // A class of the expression keeps its meaning.
        #expect(try !matches(backend, "ab", .matches, "\\d\\D", .caseInsensitive))
    }

    @Test(arguments: Backend.all) func optionsAndPatternsThatMakeNoSenseAreRefused(_ backend: Backend) throws {
        expectError(.invalidRequest) { try matches(backend, "a", .matches, "(") }
        expectError(.invalidRequest) { try matches(backend, "a", .matches, "a)(b") }
        expectError(.wrongType) { try found(backend, [], .compare("number", .equal, 1 as Int64, .caseInsensitive)) }
        expectError(.wrongType) { try found(backend, [], .in("moment", [Date()], .diacriticInsensitive)) }
        expectError(.wrongType) {
            try found(backend, [], .between("link", URL(filePath: "/"), and: URL(filePath: "/"), Self.both))
        }
        expectError(.wrongType) { try found(backend, [], .between("number", "a", and: "b")) }
        expectError(.wrongType) { try found(backend, [], .string("number", .like, "1*")) }
    }

    @Test func optionsStandInTheDescription() {
        let options = FetchPredicate.compare("name", .less, "b", Self.both) && .in("name", ["a"], .diacriticInsensitive)
        #expect(options.description == "(name <[cd] \"b\") AND (name IN[d] {\"a\"})")
        let patterns = FetchPredicate.string("name", .like, "a*") || .string("name", .matches, "a+", .caseInsensitive)
        #expect(patterns.description == "(name LIKE \"a*\") OR (name MATCHES[c] \"a+\")")
        #expect(FetchPredicate.between("number", 1, and: 2).description == "number BETWEEN {1, 2}")
    }
}
