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
        #expect(search.kept == nil && search.missed == 0.1 && !search.isConfirmed)
    }

    /// Runs a search whose trials a function of the rate and of the number of its earlier trials decides.
    private func search(from start: Double, isKept: (Double, Int) -> Bool) -> (RateSearch, trials: [Double]) {
        var search = RateSearch(from: start)
        var trials: [Double] = []
        while let rate = search.next, trials.count < 1_000 {
            search.record(isKept: isKept(rate, trials.count { $0 == rate }))
            trials.append(rate)
        }
        return (search, trials)
    }

    @Test func oneLuckyTrialDoesNotRaiseTheRate() throws {
        let (search, trials) = search(from: 100) { rate, earlier in rate <= 100 || (rate == 200 && earlier == 0) }
        #expect(trials.filter { $0 == 200 }.count == 3)
        #expect(try #require(search.kept) == 100 && search.isConfirmed)
    }

    @Test func mostOfThreeTrialsDecide() throws {
        let (search, trials) = search(from: 100) { rate, earlier in rate <= 100 || (rate == 200 && earlier != 1) }
        #expect(trials.prefix(5) == [100, 100, 200, 200, 200])
        #expect(try #require(search.kept) >= 200)
    }

    @Test func theHighestRateIsTriedOnceMoreAtTheEnd() throws {
        let (search, trials) = search(from: 100) { rate, _ in rate <= 150 }
        let kept = try #require(search.kept)
        #expect(trials.last == kept && trials.filter { $0 == kept }.count == 3)
        #expect(search.isConfirmed)
    }

    /// At 200 the first two trials keep the limits, and the one at the end does not.
    @Test func aRateThatIsNotConfirmedIsMissed() throws {
        let (search, trials) = search(from: 100) { rate, earlier in rate <= 110 || (rate == 200 && earlier < 2) }
        let kept = try #require(search.kept)
        #expect(trials.filter { $0 == 200 }.count == 3)
        #expect(kept <= 110 && kept * 1.1 * 1.1 >= 110 && search.isConfirmed)
        #expect(try #require(search.missed) < 200)
    }
}
