import Testing

@testable import BenchHarness

/// Whether a fetch began with a cold cache, and which fetches can.
@Suite struct ColdStartTests {
    private static let mebibyte = 1 << 20

    @Test func aFetchThatReadMostOfTheStoreWasCold() {
        let cold = ColdStart(read: 6 * Self.mebibyte, store: 10 * Self.mebibyte)
        #expect(cold.isProven == true && cold.problems.isEmpty)
    }

    @Test(arguments: [0, 1, 5])
    func aFetchThatReadLessWasNot(_ read: Int) {
        let warm = ColdStart(read: read * Self.mebibyte, store: 10 * Self.mebibyte)
        #expect(warm.isProven == false)
        #expect(
            warm.problems == [
                "the fetch was not cold: within the clock it read \(read * Self.mebibyte) of the store's 10485760 bytes "
                    + "from storage; --store-dir puts the stores on a disk"
            ])
    }

    @Test(arguments: [(nil, 10), (0, nil), (0, 3)] as [(Int?, Int?)])
    func whatCannotBeToldIsLeftEmpty(_ read: Int?, _ store: Int?) {
        let unknown = ColdStart(read: read, store: store.map { $0 * Self.mebibyte })
        #expect(unknown.isProven == nil && unknown.problems.isEmpty)
    }

    @Test func onlyAWholeFetchOfASeededStoreCanBeCold() throws {
        let whole =
            #""limit": 50, "cancel_after_records": 20,"# + "\n      "
            + #""filter": { "not": { "or": [{ "key": "done", "op": "==", "value": true }] } }"#
        let cold = ScenarioFixture.replacing(whole, with: #""cache": "cold""#)
        guard let work = try ScenarioFixture.read(cold).phases[1].work.as(FetchWork.self) else {
            throw CancellationError()
        }
        #expect(work.cache == .cold && work.startsCold)
        for key in [#""limit": 5"#, #""filter": { "key": "done", "op": "==", "value": true }"#] {
            assertInvalidScenario(
                cold.replacingOccurrences(of: #""cache": "cold""#, with: #""cache": "cold", \#(key)"#),
                at: "phases[1].cache", saying: "a fetch of all records")
        }
        assertInvalidScenario(
            cold.replacingOccurrences(
                of: #""kind": "fetch", "from": "seeded""#, with: #""kind": "fetch", "from": "previous""#),
            at: "phases[1].cache", saying: "from seeded")
    }
}
