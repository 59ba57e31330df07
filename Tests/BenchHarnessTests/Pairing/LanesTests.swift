import Testing

@testable import BenchHarness

@Suite struct LanesTests {
    private let bout = PairedOutcome.fixture().bouts[0]

    private func lanes(_ cores: [Int], most: Int = 2, canPin: Bool = true) -> Lanes {
        Lanes(Cores(read: { cores }, restrict: { _ in canPin }), most: most)
    }

    @Test func launchesRunOnCoresThatLieFarApart() {
        #expect(lanes([4, 5, 6, 7]).cores(for: bout, from: 0) == [4, 6])
        #expect(lanes([4, 5, 6, 7]).cores(for: bout, from: 2) == [5, 7])
        #expect(lanes([0, 1], most: 8).cores(for: bout, from: 6) == [1, 0])
    }

    @Test(arguments: 1...9, 1...9)
    func noTwoLaunchesShareACoreAndAllCoresHaveTheirTurn(cores: Int, most: Int) {
        let lanes = lanes(Array(0..<cores), most: most)
        let count = min(cores, most)
        let groups = (0..<cores).map { lanes.cores(for: bout, from: $0 * count) }
        #expect(groups.allSatisfy { $0.count == count && Set($0).count == count })
        #expect(Set(groups.joined()).count == cores)
    }

    @Test func launchesThatNoCoreKeepsApartGoOneByOne() {
        #expect(lanes([0, 1], canPin: false).cores(for: bout, from: 1) == [1])
        #expect(lanes([]).cores(for: bout, from: 1) == [nil])
    }

    @Test func launchesThatWaitOrUseAllCoresGoOneByOne() throws {
        #expect(lanes([0, 1]).cores(for: bout, from: 1, areApart: true) == [1])
        let onAllCores = try #require(PairedOutcome.fixture().bouts.first { $0.pinning == .all })
        #expect(lanes([0, 1]).cores(for: onAllCores, from: 1) == [nil])
    }
}
