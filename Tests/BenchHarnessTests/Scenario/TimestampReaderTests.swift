import Foundation
import Testing

@testable import BenchHarness

@Suite struct TimestampReaderTests {
    @Test(arguments: [
        "2001-01-01T00:00:00Z", "2000-02-29T23:59:59Z", "1970-01-01T00:00:00Z", "1900-03-01T00:00:00Z",
        "2024-12-31T12:34:56Z", "1600-01-31T01:02:03Z", "9999-12-31T23:59:59Z",
    ])
    func agreesWithFoundation(_ text: String) throws {
        #expect(TimestampReader.seconds(text) == (try Date(text, strategy: .iso8601)).timeIntervalSinceReferenceDate)
    }

    @Test func fractionsAreRead() {
        #expect(TimestampReader.seconds("2001-01-01T00:00:01.25Z") == 1.25)
    }

    @Test(arguments: [
        "", "2024", "2024-01-01", "2024-01-01T00:00:00", "2024-01-01T00:00:00+01:00", "2024-13-01T00:00:00Z",
        "2023-02-29T00:00:00Z", "1900-02-29T00:00:00Z", "2024-01-00T00:00:00Z", "2024-01-01T24:00:00Z",
        "2024-01-01T00:60:00Z", "2024-01-01T00:00:00.Z", "2024-01-01 00:00:00Z", "0000-01-01T00:00:00Z",
        "-024-01-01T00:00:00Z", "2024-01-01T00:00:00.1234567890123456789Z",
    ])
    func whatIsNoTimestampIsNone(_ text: String) {
        #expect(TimestampReader.seconds(text) == nil)
    }
}
