import Testing

@testable import BenchHarness

@Suite struct RateSearchTests {
    private func search(_ limit: Double, from start: Double, hiccups: Set<Int> = []) -> (RateSearch, tries: Int) {
        var search = RateSearch(from: start)
        var tries = 0
        while let rate = search.next, tries < 1_000 {
            search.record(isKept: rate <= limit && !hiccups.contains(tries))
            tries += 1
        }
        return (search, tries)
    }

    @Test(arguments: [0.3, 7.0, 100, 101, 12_345, 900_000], [1.0, 100, 50_000])
    func highestRateIsFoundToATenth(limit: Double, start: Double) throws {
        let (search, tries) = search(limit, from: start)
        let kept = try #require(search.kept)
        #expect(kept <= limit && kept * 1.1 >= limit)
        #expect(tries < 60)
    }

    @Test func oneHiccupDoesNotEndTheClimb() throws {
        let (search, _) = search(10_000, from: 100, hiccups: [2])
        #expect(try #require(search.kept) * 1.1 >= 10_000)
    }

    @Test func nothingIsFoundWhereNothingIsKept() {
        let (search, _) = search(0, from: 100)
        #expect(search.kept == nil && search.missed == 0.1)
    }
}
