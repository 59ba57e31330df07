import Testing

@testable import BenchHarness

@Suite struct CSVTests {
    @Test(arguments: ["", "plain", "a,b", "say \"hi\"", "two\nlines", "cr\r\nlf", "cr\r", "\"", "é,ü", "🙂", "\u{FEFF}"])
    func fieldsSurviveARoundTrip(field: String) throws {
        for fields in [["first", field, "last"], [field, "last"]] {
            #expect(try CSVReader.records("head,er\n" + CSV.line(fields)) == [["head", "er"], fields])
        }
    }

    @Test func fieldsAreQuotedOnlyWhereTheyMustBe() {
        #expect(CSV.line(["a", "b c", "d,e"]) == "a,b c,\"d,e\"\n")
    }

    @Test func bothLineEndsAreUnderstood() throws {
        #expect(try CSVReader.records("a,b\r\n1,2\n3,4") == [["a", "b"], ["1", "2"], ["3", "4"]])
    }

    @Test func emptyFieldsAreFields() throws {
        #expect(try CSVReader.records(",\n,,\n\"\",\n") == [["", ""], ["", "", ""], ["", ""]])
    }

    /// A quote, a line end or a character may lie across the end of a chunk, wherever that is.
    @Test(arguments: 1...9) func chunksMayEndAnywhere(size: Int) throws {
        let bytes = Array("\u{FEFF}a,\"b\"\"\"\r\nü,\"\r\n🙂\"\r\n".utf8)
        var rest = bytes[...]
        var reader = CSVReader(file: "t.csv") { (buffer, start) throws(RunError) in
            let piece = rest.prefix(min(size, buffer.count - start))
            buffer.replaceSubrange(start..<start + piece.count, with: piece)
            rest = rest.dropFirst(piece.count)
            return piece.count
        }
        var records: [[String]] = []
        while try reader.advance() { records.append((0..<reader.record.count).map(reader.record.text)) }
        #expect(records == [["a", "b\""], ["ü", "\r\n🙂"]])
    }
}
