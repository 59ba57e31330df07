import Foundation
import Testing

@testable import BenchHarness

@Suite struct ResultRowTests {
    /// A row as programs of other versions send it, such as the other side of `bench ab`.
    private let sent = """
        {"run":"r","scenario":"s","driver":"sqlite","phase":"fetch","kind":"fetch","mode":"async","repetition":3,\
        "status":"ok","verified":true,"error":"","keepsSettings":true,"isCold":false,"filterReach":"some","records":9,\
        "durationNanoseconds":12,"latencyP50":5,"opening":1,"cpuAfter":2,"queueStall":4,"cpu":6,"residentBefore":7,\
        "databaseBytes":8,"counters":{"statements":0},"calibration":10,"contaminated":false,"errors":0,\
        "ratePerSecond":2.5,"limits":"met","drift":"none"}
        """

    @Test func theMessageOfAnotherVersionIsTheSame() throws {
        let row = try JSONDecoder().decode(ResultRow.self, from: Data(sent.utf8))
        #expect(row.repetition == 3 && row.filterReach == .someRecords && row.durationNanoseconds == 12)
        #expect(row.counters.statements == 0 && row.opening == 1 && row.ratePerSecond == 2.5 && row.drift == "none")
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        let object = try JSONSerialization.jsonObject(with: encoder.encode(row)) as? NSDictionary
        #expect(try object == JSONSerialization.jsonObject(with: Data(sent.utf8)) as? NSDictionary)
    }
}
