import Foundation
import Testing

@testable import BenchHarness

@Suite struct PageWorkTests {
    private func report(_ work: PageWork, by driver: FakeDriver = FakeDriver()) throws -> PhaseReport {
        try #require(try driver.reports([Phase(name: "page", from: .seeded, work: .page(work))]).first)
    }

    private static func work(
        _ mode: PageWork.Mode, _ size: Int, ascending: Bool = true, filter: FilterSpec? = nil
    ) -> PageWork {
        PageWork(by: mode, pageSize: size, sort: [SortSpec(key: "n", ascending: ascending)], filter: filter)
    }

    /// Of ten records. Only a page that is not full tells that there are no more.
    @Test(arguments: [(4, [0, 4, 8]), (5, [0, 5, 10]), (20, [0])])
    func pagesFollowUntilOneIsNotFull(size: Int, offsets: [Int]) throws {
        let driver = FakeDriver()
        let report = try report(Self.work(.offset, size), by: driver)
        #expect(report.row.status == .ok && report.row.verified == true, "\(report.row.error)")
        #expect(report.row.records == 10 && report.row.operations == offsets.count && report.row.mode == "offset")
        #expect(driver.log.calls.filter { $0.hasPrefix("page ") } == offsets.map { "page \($0)" })
    }

    @Test(arguments: [4, 5, 20]) func pagesByKeyLeaveOutNothing(size: Int) throws {
        let driver = FakeDriver()
        let filter = FilterSpec.compare(key: "n", .less, .int64(9))
        let report = try report(Self.work(.key, size, filter: filter), by: driver)
        #expect(report.row.status == .ok && report.row.records == 9, "\(report.row.error)")
        #expect(Set(driver.log.calls.filter { $0.hasPrefix("page ") }) == ["page 0"])
        #expect(report.row.operations == 9 / size + 1)
    }

    /// It would return the first page for ever.
    @Test func aStoreThatIgnoresTheOffsetFails() throws {
        var driver = FakeDriver()
        driver.ignoresOffset = true
        let report = try report(Self.work(.offset, 4), by: driver)
        #expect(report.row.status == .failed)
        #expect(
            report.row.error
                == "the page of 4 records that ends at record 8 does not go on from the one before")
    }

    /// The driver returns pages in ascending order only.
    @Test func anotherOrderFails() throws {
        let report = try report(Self.work(.offset, 20, ascending: false))
        #expect(report.row.error == "record 1 of the result is out of order")
    }

    // MARK: - Reading

    private func json(_ keys: String) -> String {
        let head = ScenarioFixture.valid.components(separatedBy: #""phases": ["#)[0]
        return head + #""phases": [{ "name": "page", "kind": "page", "from": "seeded", \#(keys) }]}"#
    }

    @Test func pagesAreRead() throws {
        let keys = """
            "by": "offset", "page_records": 50,
            "sort": [{ "key": "createdAt", "ascending": false }, { "key": "score" }],
            "filter": { "key": "done", "op": "==", "value": false }
            """
        let sort = [SortSpec(key: "createdAt", ascending: false), SortSpec(key: "score")]
        #expect(
            try ScenarioFixture.read(json(keys)).phases[0].work
                == .page(
                    PageWork(
                        by: .offset, pageSize: 50, sort: sort, filter: .compare(key: "done", .equal, .bool(false)))))
    }

    @Test(arguments: [
        (#""page_records": 5, "sort": [{ "key": "score" }]"#, "phases[0]", "the key \"by\" is missing"),
        (
            #""by": "offst", "page_records": 5, "sort": [{ "key": "score" }]"#, "phases[0].by",
            "unknown way to the next page \"offst\"; expected offset or key. Did you mean \"offset\"?"
        ),
        (
            #""by": "key", "page_records": 0, "sort": [{ "key": "score" }]"#, "phases[0].page_records",
            "expected an integer from 1"
        ),
        (
            #""by": "offset", "page_records": 5, "sort": [{ "key": "score" }, { "key": "name" }]"#, "phases[0].sort",
            "pages in an order that leaves records equal; expected a last key whose attribute has \"unique\": true"
        ),
        (
            #""by": "offset", "page_records": 5, "sort": []"#, "phases[0].sort",
            "pages in an order that leaves records equal"
        ),
        (
            #""by": "key", "page_records": 5, "sort": [{ "key": "name" }, { "key": "score" }]"#, "phases[0].sort",
            "pages by key with 2 sort keys; expected 1, the unique attribute"
        ),
        (
            #""by": "key", "page_records": 5, "sort": [{ "key": "scor" }]"#, "phases[0].sort[0].key",
            "Did you mean \"score\"?"
        ),
    ])
    func mistakesAreNamedWithTheirPlace(keys: String, path: String, text: String) {
        assertInvalidScenario(json(keys), at: path, saying: text)
    }
}
