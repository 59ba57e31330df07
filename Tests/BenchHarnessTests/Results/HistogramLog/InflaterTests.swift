import Foundation
import Testing

@testable import BenchHarness

/// Decompression, by data that zlib compressed.
@Suite struct InflaterTests {
    private static let notes = (0..<60).map { "note \($0 * $0 % 97) in folder \($0 % 7); " }.joined()
    private static let compressedNotes =
        "fdNtCsIwEIThq+QI2Y9sNngdFQRpQbw/IqSQwqt/h5Y+7Ey3/X0rtTy2ct+f19ur1EvZvpksmczMl0xnNpbMjndjCX2G2pawzdDW"
        + "J+P4zABPOIBSQGQgUgeRdxB1BZECyOhCoXSiBiIzEPUKIiFRMyCNoNKwNQGSE2k4kFoFUlJrDUTaQZQJoka1qYIoB4hCqDciCQ0p"
        + "A0hB2/akbVNvglcC0TAS0ZL6oCXR39YNRJ2W1OlIpw/9JQ1aUtC2E0RGv9vpxEJl/KrtAw=="

    private func content(_ base64: String, limit: Int = 10_000) throws -> String? {
        inflated(Array(try #require(Data(base64Encoded: base64))), limit: limit)
            .map { String(decoding: $0, as: UTF8.self) }
    }

    private func inflated(_ bytes: [UInt8], limit: Int = 10_000) -> [UInt8]? {
        var inflater = Inflater(bytes[...], limit: limit)
        return inflater.inflate()?.content
    }

    @Test func blocksOfEveryKindAreDecompressed() throws {
        #expect(try content("AQgA9/9hcyBpdCBpcw==") == "as it is")
        #expect(try content("S0xKToQhHQUIDQA=") == "abcabcabcabc, abcabc")
        #expect(try content(Self.compressedNotes) == Self.notes)
    }

    @Test func moreThanTheLimitIsRefused() throws {
        #expect(try content(Self.compressedNotes, limit: Self.notes.utf8.count - 1) == nil)
        #expect(try content("AQgA9/9hcyBpdCBpcw==", limit: 7) == nil)
    }

    @Test func damageNeverCrashes() throws {
        let bytes = Array(try #require(Data(base64Encoded: Self.compressedNotes)))
        for length in bytes.indices { #expect(inflated(Array(bytes[..<length])) == nil) }
        for place in bytes.indices {
            for bit in 0..<8 {
                var damaged = bytes
                damaged[place] ^= 1 << bit
                _ = inflated(damaged)
            }
        }
    }
}
