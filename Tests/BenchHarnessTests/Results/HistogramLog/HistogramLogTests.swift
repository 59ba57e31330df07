import Foundation
import Processes
import TestSupport
import Testing

@testable import BenchHarness

@Suite struct HistogramLogTests {
    /// 500 values of an exponential distribution and one of 7 s, by Python's `hdrhistogram` 0.10.8, which gave these
    /// percentiles.
    private static let ofPython =
        "HISTFAAAAl54nC2TvWsUURTF9533hmGYLMswLMswWUJYlmUJYQ1BRIIECSgiIQQRSRFERFKKiIVYWMRU6QwiYqFgaSU2tpLCWsRS"
        + "rKxs/AcC/u7N7jDz3rsf55577tvFFyd1pxNPO+e/OF8D22sXvrzvbP47N7xe1OehThb0fUHvpKNMPf3ONVSuPR0HHUW9ifoRdCh9"
        + "Cyr0KSjj+RDU19+gZ2q0S849fSVbOpZuaA3fr6BSAwU91n1NdRq0rNtaT3d0lZSBKl3UJfAOAwkPcJ4FzairjwG4A91SF/9ES5wm"
        + "7LeIjSAPga3Yd3nWNSKnL47FPLxRTU3gtrE/0RhT0F2cFUUoWfLuQIHOglqOEV+fNScngj7ElWsFS0iVrzMSAs+YiJGqVMJpDQlM"
        + "jQBuNAa2GQisyFMQucq6IbfCZ4OYDC57XqEAp1EEfx9LTeQmgSNdpiPLpjaxhXsckNyZV4zgVmCZCgfEt1aydtdK6tqhVJMyF6Gl"
        + "Rg9XCdKuCxQ55Qyj552XrqjVGnj/U76r9Ga+HkNpkWlJebJuMhFQ41jGFeeCIUqy1asGJSOXAXaTdYJJlgSX1JJSJaMJRk52Swp9"
        + "OGbuJOxClN5wiwjBaV/3UcBy6jPvaky5zEfsEy9cSjPYXevytUuS0b7J2CPXQgt2Aalq59zlhVmLqWFjNzWCm/Hd1jStEdCQ0tD5"
        + "hl/0voNH45q7oedkslR6Um0O9VLmfk5TRw5eduzKli7YKAW7JTPMtetX8nfY8UKmRsu6NR+8HlLmihjaPqdXQW+DftoFGzuBp3qk"
        + "P2j7nPmcvQz6D3KMSJA="

    private func read(_ text: String) throws -> HistogramLog { try HistogramLog(Data(text.utf8), file: "a.hlog") }

    private static func histogram(_ values: [Int]) -> LatencyHistogram {
        values.reduce(into: LatencyHistogram()) { $0.record($1) }
    }

    private static func random(_ count: Int, _ seed: UInt64) -> [Int] {
        var random = SplitMix64(state: seed)
        return (0..<count).map { _ in Int(exp(random.unit() * 25)) }
    }

    @Test(arguments: [
        [], [0], [1, 1, 1], [2_047, 2_048, 4_095, 4_096], [.max], random(5_000, 3), [1_000_000_000, 0],
    ])
    func aHistogramIsReadAsItWasWritten(_ values: [Int]) throws {
        var log = HistogramLog(started: 1_700_000_000.25)
        let histogram = SmallHistogram(Self.histogram(values))
        log.append(.init(tag: "a/b/1/read/response", start: 1.5, length: 2, histogram: histogram, notes: ["errors": 3]))
        log.append(.init(tag: "", start: 4, length: 1, histogram: histogram))
        let found = try read(log.text)
        #expect(found == log)
        for entry in found.entries {
            entry.histogram.whole._checkInvariants()
            #expect(entry.histogram.whole == Self.histogram(values))
        }
    }

    @Test func aLogOfAnotherProgramIsRead() throws {
        let text = """
            #[Histogram log format version 1.3]
            #[StartTime: 1441812279.474 (seconds since epoch), Wed Sep 09 08:24:39 PDT 2015]
            "StartTimestamp","Interval_Length","Interval_Max","Interval_Compressed_Histogram"
            0.127,1.007,7000.293,\(Self.ofPython)
            Tag=other,1.134,0.999,7000.293,\(Self.ofPython)
            """
        let log = try read(text)
        #expect(log.started == 1_441_812_279.474 && log.entries.map(\.tag) == ["", "other"])
        let histogram = try #require(log.entries.first).histogram.whole
        histogram._checkInvariants()
        #expect(histogram.count == 501)
        #expect(histogram.percentile(50) == 1_539_071 && histogram.percentile(99) == 9_805_823)
        #expect(histogram.max == 7_000_293_375)
    }

    /// A Python with the package `hdrhistogram`; nil if none has it.
    private static let python = ["/usr/bin/python3", "/usr/local/bin/python3"].first(where: hasReader)

    @Test(.enabled(if: python != nil, "Python's package hdrhistogram is not installed"))
    func pythonReadsWhatIsWritten() throws {
        let python = try #require(Self.python)
        let directory = try TemporaryDirectory()
        let histogram = Self.histogram(Self.random(10_000, 8))
        var log = HistogramLog(started: 1_000)
        log.append(.init(tag: "x", start: 0, length: 1, histogram: SmallHistogram(histogram)))
        try log.write(to: directory.file("a.hlog"))
        let script = """
            from hdrh.histogram import HdrHistogram
            from hdrh.log import HistogramLogReader
            h = HistogramLogReader('\(directory.file("a.hlog").path)', HdrHistogram(1, 2**62, 3)).get_next_interval_histogram()
            print(h.get_total_count(), h.get_value_at_percentile(50), h.get_value_at_percentile(99.9))
            """
        let output = try Self.run(python, script)
        let expected = [
            histogram.count, try #require(histogram.percentile(50)), try #require(histogram.percentile(99.9)),
        ]
        #expect(output == expected.map(String.init).joined(separator: " "))
    }

    private static func hasReader(_ python: String) -> Bool { (try? run(python, "import hdrh.log; print(1)")) == "1" }

    private static func run(_ python: String, _ script: String) throws -> String {
        let (process, output) = (Process(), Pipe())
        process.executableURL = URL(fileURLWithPath: python)
        process.arguments = ["-c", script]
        (process.standardOutput, process.standardError) = (output, FileHandle.nullDevice)
        try process.run()
        let text = output.readText()
        _ = process.awaitEnd()
        return text.trimmingCharacters(in: .whitespacesAndNewlines)
    }

    @Test func mergedHistogramsAreThoseOfAllValues() {
        let parts = (1...4).map { Self.random(3_000 * Int($0), $0) }
        let logs = parts.enumerated().map { number, values in
            var log = HistogramLog(started: 100 + Double(number))
            let histogram = SmallHistogram(Self.histogram(values))
            log.append(.init(tag: "x", start: 1, length: 5, histogram: histogram, notes: ["errors": 2]))
            return log
        }
        let merged = HistogramLog.merged(logs)
        #expect(merged.started == 100 && merged.entries.count == 1)
        #expect(merged.entries[0].histogram.whole == Self.histogram(parts.flatMap { $0 }))
        #expect(merged.entries[0].notes == ["errors": 8])
        #expect(merged.entries[0].start == 1 && merged.entries[0].length == 8)
    }

    @Test func aLogThatAnotherOneHoldsCountsOnce() throws {
        let folder = try TemporaryDirectory()
        let lines = (0..<3).map { number in
            HistogramLog.Entry(
                tag: "x", start: Double(number), length: 1,
                histogram: SmallHistogram(Self.histogram(Self.random(100, UInt64(number)))))
        }
        let write = { (name: String, started: Double, entries: [HistogramLog.Entry]) in
            var log = HistogramLog(started: started)
            log.entries = entries
            try log.write(to: folder.file(name))
            return folder.file(name)
        }
        let whole = try write("whole.hlog", 100, lines)
        // A copy that was made while the run went on.
        let early = try write("early.hlog", 100, Array(lines.prefix(2)))
        let other = try write("other.hlog", 200, lines)
        for pair in [[whole, whole], [whole, early], [early, whole]] {
            let error = #expect(throws: RunError.self) { try HistogramLog.merged(contentsOf: pair) }
            #expect(error?.description.contains("leave one of them out, or they count twice") == true)
        }
        #expect(try HistogramLog.merged(contentsOf: [whole, other]).entries.map(\.histogram.count) == [600])
    }

    /// No count or size is that large, and the sum of two of them would overflow.
    @Test func anImpossibleNoteIsPassedOver() throws {
        let lines = (0..<2).map { _ in "#[Note: x errors=\(Int.max) dropped=3]\nTag=x,0.1,1.0,2.0,\(Self.ofPython)\n" }
        let merged = HistogramLog.merged([try read("#[Histogram log format version 1.3]\n" + lines.joined())])
        #expect(merged.entries.map(\.notes) == [["dropped": 6]])
    }

    @Test(arguments: [
        "0.1,1.0,2.0,AAAA", "x,1.0,2.0,\(ofPython)", "0.1,1.0,\(ofPython)", "0.1,1.0,2.0,\(ofPython.prefix(400))",
    ])
    func aDamagedLineIsNamed(_ line: String) throws {
        let error = #expect(throws: RunError.self) { try read("#[Histogram log format version 1.3]\n\(line)\n") }
        #expect(error?.description.hasPrefix("a.hlog:2: ") == true)
    }

    @Test func aFileOfAnotherKindIsRefused() {
        let error = #expect(throws: RunError.self) { try read("") }
        #expect(error?.description == "a.hlog: no line of an HdrHistogram log; expected an .hlog of bench run")
    }
}
