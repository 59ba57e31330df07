import Testing

@testable import BenchHarness

/// What reading holds on to does not grow with the file.
@Suite struct ReadingMemoryTests {
    /// Repeats `piece` without end.
    private func endless(_ piece: String, after start: String = "") -> CSVReader {
        let block = Array(String(repeating: piece, count: max(1, 4_096 / piece.utf8.count)).utf8)
        var rest = Array(start.utf8)[...]
        return CSVReader(file: "endless.csv") { (buffer, start) throws(RunError) in
            if rest.isEmpty { rest = block[...] }
            let part = rest.prefix(buffer.count - start)
            buffer.replaceSubrange(start..<start + part.count, with: part)
            rest = rest.dropFirst(part.count)
            return part.count
        }
    }

    @Test func aReaderKeepsOneChunkAndOneRecord() throws {
        var reader = endless("s,sqlite,fetch,1,ok,\"a\"\"b\"\n")
        for _ in 0..<20_000 { _ = try reader.advance() }
        #expect(reader.retainedBytes < 2 * ResultLimits.chunkBytes)
        #expect(reader.record.line == 20_000)
    }

    @Test(arguments: ["a", "\"", "a,"]) func aLineWithoutEndIsRefusedAtALimit(piece: String) {
        var reader = endless(piece, after: "\"")
        let error = #expect(throws: RunError.self) { while try reader.advance() {} }
        #expect(error?.description.hasPrefix("endless.csv:1: ") == true)
        #expect(reader.retainedBytes < 4 * ResultLimits.recordBytes)
    }

    /// Together with the texts, whose bytes are counted as they are kept, this is what a table holds on to.
    @Test func theLargestTableStaysBelowAFewHundredMegabytes() {
        #expect(ResultLimits.rows * MemoryLayout<ResultRow>.stride < 500_000_000)
        #expect(ResultLimits.textBytes < 100_000_000)
    }

    @Test func repeatedTextsAreKeptOnce() {
        var pool = TextPool()
        for text in ["a name of some length", "another of some length", "a name of some length", "short"] {
            let bytes = Array(text.utf8)
            #expect(bytes.withUnsafeBufferPointer { pool.text($0) } == text)
        }
        #expect(pool.byteCount == 43)
    }
}
