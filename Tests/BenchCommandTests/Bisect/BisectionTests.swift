import Testing

@testable import BenchCommand

@Suite struct BisectionTests {
    /// Searches a line of which one commit is the first bad one.
    private func search(count: Int, firstBad: Int, skipped: Set<Int> = []) -> (bisection: Bisection, tried: [Int]) {
        var bisection = Bisection(count: count)
        var tried: [Int] = []
        while let next = bisection.next, tried.count <= count {
            tried.append(next)
            bisection.note(skipped.contains(next) ? .skipped : next < firstBad ? .good : .bad, of: next)
        }
        return (bisection, tried)
    }

    @Test(arguments: [1, 2, 3, 8, 9, 100]) func everyPlaceIsFoundInFewSteps(count: Int) {
        let most = (1...).first { 1 << $0 >= count } ?? 0
        for place in 1...count {
            let (bisection, tried) = search(count: count, firstBad: place)
            #expect(bisection.suspects == place...place)
            #expect(tried.count <= most && !tried.contains(count))
        }
    }

    @Test func whatIsSkippedLeavesARangeAndIsTriedOnce() {
        let (bisection, tried) = search(count: 8, firstBad: 5, skipped: [3, 4])
        #expect(bisection.suspects == 3...5)
        #expect(Set(tried).count == tried.count && !tried.isEmpty)
    }

    /// A commit that cannot be told is no obstacle where the slowdown is elsewhere.
    @Test func whatIsSkippedElsewhereChangesNothing() {
        #expect(search(count: 8, firstBad: 7, skipped: [2, 3, 4]).bisection.suspects == 7...7)
        #expect(search(count: 8, firstBad: 1, skipped: [4, 5]).bisection.suspects == 1...1)
    }
}
