import Testing

@testable import BenchHarness

@Suite struct RecordFilterTests {
    private let entity = EntitySpec(
        name: "Item",
        attributes: [
            AttributeSpec(name: "name", type: .string, generator: .constant(.null)),
            AttributeSpec(name: "score", type: .double, generator: .constant(.null)),
        ])

    private func matches(_ filter: FilterSpec, _ record: [FieldValue]) -> Bool {
        RecordFilter(filter, entity: entity).matches { record[$0] }
    }

    @Test func nullOnlyEqualsNull() {
        let null: [FieldValue] = [.null, .null]
        #expect(matches(.compare(key: "score", .equal, .null), null))
        #expect(!matches(.compare(key: "score", .notEqual, .null), null))
        #expect(matches(.compare(key: "score", .notEqual, .double(1)), null))
        #expect(!matches(.compare(key: "score", .less, .double(1)), null))
        #expect(matches(.not(.compare(key: "score", .less, .double(1))), null))
    }

    @Test func stringsCompareByTheirBytes() {
        let composed: [FieldValue] = [.string("\u{E9}"), .null]
        #expect(!matches(.compare(key: "name", .equal, .string("e\u{301}")), composed))
        #expect(matches(.compare(key: "name", .greater, .string("z")), composed))
        #expect(matches(.compare(key: "name", .less, .string("b")), [.string("B"), .null]))
        #expect(!matches(.compare(key: "name", .less, .string("a")), [.string("ab"), .null]))
    }

    @Test func partsOfStringsAreFound() {
        let record: [FieldValue] = [.string("Item 12"), .null]
        #expect(matches(.compare(key: "name", .beginsWith, .string("Item")), record))
        #expect(matches(.compare(key: "name", .endsWith, .string("12")), record))
        #expect(matches(.compare(key: "name", .contains, .string("m 1")), record))
        #expect(!matches(.compare(key: "name", .contains, .string("item")), record))
    }

    @Test func caseIsIgnoredByUnicodesFolding() {
        let texts = ["STRASSE", "Straße", "strasse", "Strase", "Ärger", "arger", "ΣΊΣΥΦΟΣ"]
        func found(_ comparison: FilterSpec.Comparison, _ text: String) -> [String] {
            texts.filter { matches(.ignoringCase(key: "name", comparison, text), [.string($0), .null]) }
        }
        #expect(found(.equal, "straßE") == ["STRASSE", "Straße", "strasse"])
        #expect(found(.contains, "RAS") == ["STRASSE", "Straße", "strasse", "Strase"])
        #expect(found(.beginsWith, "ä") == ["Ärger"])
        #expect(found(.endsWith, "φος") == ["ΣΊΣΥΦΟΣ"])
        #expect(!matches(.ignoringCase(key: "name", .contains, ""), [.null, .null]))
    }

    @Test func conditionsCombine() {
        let low = FilterSpec.compare(key: "score", .less, .double(1))
        let high = FilterSpec.compare(key: "score", .greaterOrEqual, .double(1))
        let record: [FieldValue] = [.null, .double(0)]
        #expect(matches(.or([high, low]), record))
        #expect(!matches(.and([high, low]), record))
        #expect(matches(.and([]), record) && !matches(.or([]), record))
    }

    @Test func listsAndRangesHoldForValuesAlone() {
        let list = FilterSpec.oneOf(key: "score", [.double(1), .double(3)])
        let range = FilterSpec.between(key: "score", .double(1), .double(3))
        let scores: [FieldValue] = [.null, .double(0.5), .double(1), .double(2), .double(3), .double(3.5)]
        #expect(scores.map { matches(list, [.null, $0]) } == [false, false, true, false, true, false])
        #expect(scores.map { matches(range, [.null, $0]) } == [false, false, true, true, true, false])
        #expect(matches(.not(list), [.null, .null]) && matches(.not(range), [.null, .null]))
    }
}
