import Dispatch
import Foundation
import Testing

@testable import BenchHarness

@Suite struct RecordWalkTests {
    private let queue = DispatchQueue(label: "walk")

    private func discrepancy(
        _ extent: RecordWalk.Extent, _ first: [Int64], _ second: [Int64]
    ) throws -> String? {
        var walk = RecordWalk(extent)
        try walk.read(Numbers(values: first), on: queue)
        var digester = RecordDigester()
        walk.prepare(&digester)
        try Numbers(values: second).digest(into: &digester)
        return walk.discrepancy(in: digester)
    }

    @Test(arguments: [RecordWalk.Extent.nothing, .sample, .everything, .slices], [0, 1, 5, 4_096, 10_000])
    func equalReadingsAgree(_ extent: RecordWalk.Extent, _ count: Int) throws {
        let values = (0..<count).map(Int64.init)
        #expect(try discrepancy(extent, values, values) == nil)
    }

    @Test(arguments: [RecordWalk.Extent.everything, .slices], [0, 4_095, 4_096, 9_999])
    func oneOtherValueIsFound(_ extent: RecordWalk.Extent, _ index: Int) throws {
        var values = Array(0..<Int64(10_000))
        values[index] += 1
        let found = try discrepancy(extent, Array(0..<10_000), values)
        #expect(found == "the records read within the clock are not those handed over")
    }

    @Test func aSampleFindsAResultThatIsNotThere() throws {
        let (blank, values) = ([Int64](repeating: -1, count: 1_000), Array(0..<Int64(1_000)))
        #expect(try #require(try discrepancy(.sample, blank, values)).contains("read within the clock"))
        #expect(try #require(try discrepancy(.sample, values, [])).contains("read within the clock"))
    }

    @Test func slicesAreShortBlocksOnTheQueue() throws {
        let numbers = Numbers(values: Array(0..<10_000))
        var walk = RecordWalk(.slices)
        try walk.read(numbers, on: queue)
        #expect(numbers.log.calls == ["0..<4096", "4096..<8192", "8192..<10000"])
    }
}

/// Records of one number, which tell in what parts they are read.
private struct Numbers: FetchedRecords {
    let values: [Int64]
    let log = CallLog()

    var count: Int { values.count }

    func digest(_ positions: Range<Int>, into digester: inout RecordDigester) {
        log.add("\(positions)")
        for value in values[positions] {
            digester.add(value)
            digester.endRecord()
        }
    }
}
