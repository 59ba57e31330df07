import Testing

@testable import BenchHarness

@Suite struct CSVTests {
    @Test(arguments: ["", "plain", "a,b", "say \"hi\"", "two\nlines", "cr\r\nlf", "\"", "é,ü", "🙂"])
    func fieldsSurviveARoundTrip(field: String) {
        let fields = ["first", field, "last"]
        #expect(CSV.records(CSV.line(fields)) == [fields])
    }

    @Test func fieldsAreQuotedOnlyWhereTheyMustBe() {
        #expect(CSV.line(["a", "b c", "d,e"]) == "a,b c,\"d,e\"\n")
    }

    @Test func bothLineEndsAreUnderstood() {
        #expect(CSV.records("a,b\r\n1,2\n3,4") == [["a", "b"], ["1", "2"], ["3", "4"]])
    }

    @Test func emptyFieldsAreFields() {
        #expect(CSV.records(",\n,,\n") == [["", ""], ["", "", ""]])
    }
}
