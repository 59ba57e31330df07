import Foundation
import TestSupport
import Testing

@testable import BenchHarness

/// What is wrong with a file is said in one line that names the place.
@Suite struct HostileResultTests {
    private static let header = "scenario,driver,phase,repetition,status"

    private func refusal(_ bytes: [UInt8]) -> String? {
        #expect(throws: RunError.self) { try ResultTable(CSVReader(file: "t.csv", bytes: bytes)) }?.description
    }

    private func refusal(_ csv: String) -> String? { refusal(Array(csv.utf8)) }

    @Test(arguments: [
        ("", "t.csv: an empty file"), ("\u{FEFF}", "t.csv: an empty file"), ("\n", "t.csv:1: a header without"),
        ("a,b\n", "t.csv:1: a header without \"scenario\", \"driver\", \"phase\", \"repetition\", \"status\""),
        ("scenario,driver,phase,repetition\n", "t.csv:1: a header without \"status\""),
        ("\(header),run,x,run\n", "t.csv:1: columns 6 and 8 are both called \"run\""),
        ("\(header),,\n", "t.csv:1: columns 6 and 7 are both called \"\""),
        (header, "t.csv:1: the header has no line end, so it may have been cut off"),
        ("scenario;driver;phase\n", "t.csv:1: a header without"), ("<html>\n", "t.csv:1: a header without"),
    ])
    func headersThatCannotBeAreRefused(csv: String, message: String) {
        let text = refusal(csv)
        #expect(text?.hasPrefix(message) == true, "\(text ?? "")")
    }

    @Test(arguments: [
        ("s,d\n", "t.csv:2: 2 fields; expected 5 fields, as in the header"), ("\n", "t.csv:2: an empty line"),
        ("s,d,p,1,ok,\n", "t.csv:2: 6 fields"), ("s,d,p,1,ok\ns,d,p,2\n", "t.csv:3: 4 fields"),
        ("s,d,p,1,o", "t.csv:2: the last line has no line end, so it may have been cut off"),
        ("s,d,\"p\np\",1,ok\ns,d,p\n", "t.csv:4: 3 fields"),
        ("s,d,p,1,ok\n\"s", "t.csv:3: the end of the file in the quoted"),
        ("s,\"d\n\n\n", "t.csv:2: the end of the file in the quoted field 2"),
        ("s,d\"d,p,1,ok\n", "t.csv:2: a quote in the middle of field 2"),
        ("s,\"d\"d,p,1,ok\n", "t.csv:2: text after the closing quote of field 2"),
        ("s,d,\"p\n\"x,1,ok\n", "t.csv:3: text after the closing quote of field 3"),
        ("s,d,p,1,ok\rs,d,p,2,ok\r", "t.csv:2: a carriage return without a line feed"),
        ("s,d,p\0,1,ok\n", "t.csv:2: a NUL byte"),
        (",d,p,1,ok\n", "t.csv:2: column \"scenario\": nothing; expected text"),
        ("s,d,p,,ok\n", "t.csv:2: column \"repetition\": nothing"),
        ("s,d,p,-1,ok\n", "t.csv:2: column \"repetition\": \"-1\"; expected a whole number from 0"),
        ("s,d,p,+1,ok\n", "t.csv:2: column \"repetition\": \"+1\""),
        ("s,d,p,1.0,ok\n", "column \"repetition\": \"1.0\""),
        ("s,d,p,9223372036854775808,ok\n", "t.csv:2: column \"repetition\": \"9223372036854775808\""),
        ("s,d,p,1,fine\n", "\"fine\"; expected one of ok, failed, unsupported, interrupted"),
        ("s,d,p,1,\n", "t.csv:2: column \"status\": nothing"), ("s,d,p,1,OK\n", "\"OK\"; expected one of ok"),
        ("s,d,p,\u{1B}[31m,ok\n", "column \"repetition\": \"\\u{1b}[31m\""), ("s,d,p, 1,ok\n", "\" 1\"; expected"),
    ])
    func rowsThatCannotBeAreRefused(rows: String, message: String) {
        let text = refusal(Self.header + "\n" + rows)
        #expect(text?.contains(message) == true, "\(text ?? "")")
        #expect(text?.contains("\n") == false)
    }

    @Test(arguments: [
        "nan", "NaN", "inf", "-inf", "infinity", "-1.5", "-0.001", "1e999", "0x10", "1,5", "1.2.3", ".", "e",
    ])
    func figuresThatCannotBeAreRefused(field: String) {
        let rows = "\(Self.header),throughput_per_s,duration_ns\n"
        for fields in [[field, ""], ["", field]] {
            let text = refusal(rows + CSV.line(["s", "d", "p", "1", "ok"] + fields))
            #expect(text?.contains("t.csv:2: column \"") == true, "\(text ?? "")")
        }
    }

    /// A ratio of them would not be finite.
    @Test(arguments: ["1e300", "1000000000000001000", "1e-300", "0.0000001", "1.1e18"])
    func ratesBeyondEveryMachineAreRefused(field: String) {
        let rows = "\(Self.header),throughput_per_s\n" + CSV.line(["s", "d", "p", "1", "ok", field])
        let text = refusal(rows)
        #expect(text?.contains("\"throughput_per_s\": \"\(field)\"; expected 0, or") == true, "\(text ?? "")")
    }

    @Test(arguments: ["0", "00", "000000"]) func aRepetitionBeforeTheFirstIsRefused(field: String) {
        let text = refusal("\(Self.header)\n" + CSV.line(["s", "d", "p", field, "ok"]))
        #expect(text?.contains("t.csv:2: column \"repetition\": \"0\"; expected a whole number from 1") == true)
    }

    @Test func numbersThatNoMeasurementMakesAreShown() throws {
        let largest = Int.max
        let row = "s,d,p,1,ok,true,1e18,\(largest),\(largest),\(largest)\n"
        let header = Self.header + ",verified,throughput_per_s,retries,errors,service_p50_ns\n"
        let rows = try ResultTable(csv: header + row + row.replacing(",1,ok", with: ",2,ok"), file: "t.csv").rows
        #expect(rows.count == 2 && rows[1].retries == largest)
        let summary = ResultSummary(rows: rows)
        #expect(SummaryTable(summary).text(isColoured: false).contains("9,223,372,036,854,775,807"))
        #expect(Figure.rate(1e300) == "9,223,372,036,854,775,807/s" && Figure.rate(12.9) == "12/s")
    }

    @Test(
        arguments: [
            ([0xFF, 0xFE, 0x73, 0x00], "t.csv:1: a file in UTF-16; expected UTF-8"),
            ([0xFE, 0xFF, 0x00, 0x73], "t.csv:1: a file in UTF-16"), ([0x73, 0x00, 0x63, 0x00], "t.csv:1: a NUL byte"),
            ([0x61, 0x2C, 0xC3, 0x28, 0x0A], "t.csv:1: bytes that are not UTF-8 in field 2"),
            // Two halves of a character are none when a comma parts them.
            ([0xC3, 0x2C, 0xA9, 0x0A], "t.csv:1: bytes that are not UTF-8 in field 1"),
            ([0x61, 0xED, 0xA0, 0x80, 0x0A], "not UTF-8 in field 1"), ([0xC0, 0x80, 0x0A], "not UTF-8 in field 1"),
            ([0xEF, 0xBB], "not UTF-8 in field 1"), ([0x1F, 0x8B, 0x08, 0x00], "t.csv:1: a NUL byte"),
        ] as [([UInt8], String)])
    func encodingsOtherThanUTF8AreRefused(bytes: [UInt8], message: String) {
        let text = refusal(bytes)
        #expect(text?.contains(message) == true, "\(text ?? "")")
    }

    @Test(arguments: [
        "s,d,p,1,ok\n", "s,d,p,1,ok\r\n", "s,d,p,1,ok\r", "\"s\",\"d\",\"p\",\"1\",\"ok\"\n", "s,d,p,0000001,ok\n",
    ])
    func oddButValidRowsAreRead(row: String) throws {
        for start in ["", "\u{FEFF}"] {
            let table = try ResultTable(csv: start + Self.header + "\r\n" + row, file: "t.csv")
            #expect(table.rows.map(\.repetition) == [1])
        }
    }

    @Test func aHeaderAloneIsATableWithoutRows() throws {
        #expect(try ResultTable(csv: Self.header + "\n", file: "t.csv").rows.isEmpty)
    }

    @Test func thousandsOfUnknownColumnsArePassedOver() throws {
        let names = (0..<ResultLimits.fields - 5).map { "x\($0)" }
        let fields = ["s", "d", "p", "1", "failed"] + names.map { _ in "?" }
        let csv = Self.header + "," + CSV.line(names) + CSV.line(fields)
        #expect(try ResultTable(csv: csv, file: "t.csv").rows.map(\.status) == [.failed])
        let text = refusal(String(repeating: ",", count: 100_000))
        #expect(text?.hasPrefix("t.csv:1: more than 4096 fields") == true)
    }

    @Test func everyTruncationIsAnErrorOrFewerRows() throws {
        let bytes = Array("\(Self.header),error\ns,d,p,1,failed,\"a \"\"ü\"\"\r\n, b\"\r\ns,d,p,2,ok,\n".utf8)
        let whole = try ResultTable(CSVReader(file: "t.csv", bytes: bytes)).rows
        #expect(whole.map(\.error) == ["a \"ü\"\r\n, b", ""])
        for length in bytes.indices {
            do throws(RunError) {
                let rows = try ResultTable(CSVReader(file: "t.csv", bytes: Array(bytes[..<length]))).rows
                #expect(whole.starts(with: rows) && rows.count < whole.count)
            } catch {
                #expect(error.code == .results)
            }
        }
    }
}
