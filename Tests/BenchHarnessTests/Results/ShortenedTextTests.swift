import Testing

@testable import BenchHarness

@Suite struct ShortenedTextTests {
    @Test func aNameThatFitsStaysAsItIs() {
        #expect("fetch-sync".shortened(to: 10) == "fetch-sync")
        #expect("".shortened(to: 0).isEmpty)
    }

    @Test func theEndThatTellsNamesApartStays() {
        let names = ["lists-to-items-prefetched@10000", "lists-to-items-prefetched@1000000"]
        #expect(names.map { $0.shortened(to: 16) } == ["lists-t…ed@10000", "lists-t…@1000000"])
    }

    @Test(arguments: 0...40) func noLimitIsExceeded(limit: Int) {
        #expect("items-to-list-prefetched".shortened(to: limit).count == min(limit, 24))
    }
}
