import Testing

@testable import BenchHarness

/// The keys of JSON files.
@Suite struct SnakeCaseKeyTests {
    @Test(arguments: [
        ("run", "run"), ("cacheSizeKiB", "cache_size_kib"), ("latencyP999", "latency_p999"), ("_0", "_0"),
        ("ratePerSecond", "rate_per_second"), ("isHistoryTooShort", "is_history_too_short"), ("x2Y", "x2_y"),
    ])
    func keysAndPropertiesBelongTogether(property: String, key: String) {
        #expect(SnakeCaseKey(of: property).stringValue == key)
        #expect(SnakeCaseKey(camelCaseOf: key).stringValue == property)
    }

    @Test func theKeyOfEarlierFilesIsRead() {
        #expect(SnakeCaseKey(camelCaseOf: "cache_size_ki_b").stringValue == "cacheSizeKiB")
    }

    @Test func capitalsBelongToOneWord() { #expect(SnakeCaseKey(of: "myURLList").stringValue == "my_url_list") }
}
