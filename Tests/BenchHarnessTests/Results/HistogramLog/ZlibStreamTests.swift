import Foundation
import Testing

@testable import BenchHarness

@Suite struct ZlibStreamTests {
    @Test(arguments: [0, 1, 65_535, 65_536, 200_000])
    func whatIsWrittenIsRead(count: Int) {
        let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 31 ^ $0 >> 8) }
        #expect(ZlibStream.content(of: ZlibStream.stream(of: bytes), limit: 1 << 20) == bytes)
    }

    /// By Python's zlib, with the best codes, with fixed ones, and fast.
    @Test(arguments: [
        "eNpLVMjJT1fIT1PIyCwuyU8vSswt1lFIxBRUSMxLUcjNL0oFCZdkpOZiVTWqdVTrqNZRraNaR7WOah3VOny1MjAyMbOwsrFzcHJx"
            + "8/Dy8QsICgmLiIqJS0hKScvIyskrKCopq6iqqWtoamnr6OrpGxgaGZuYmplbWFpZ29ja2Ts4Ojm7uLq5e3h6efv4+vkHBAYFh4SG"
            + "hUdERkXHxMbFJyQmJaekpqVnZGZl5+Tm5RcUFhWXlJaVV1RWVdfU1tU3NDY1t7S2tXd0dnX39Pb1T5g4afKUqdOmz5g5a/acufPm"
            + "L1i4aPGSpcuWr1i5avWatevWb9i4afOWrdu279i5a/eevfv2Hzh46PCRo8eOnzh56vSZs+fOX7h46fKVq9eu37h56/adu/fuP3j4"
            + "6PGTp8+ev3j56vWbt+/ef/j46fOXr9++//j56/efv//+AwCs6rum",
        "eAFLVMjJT1fIT1PIyCwuyU8vSswt1lFIxBRUSMxLUcjNL0oFCZdkpOZiVTWqdVTrqNZRraNaR7WOah3VOny1MjAyMbOwsrFzcHJx"
            + "8/Dy8QsICgmLiIqJS0hKScvIyskrKCopq6iqqWtoamnr6OrpGxgaGZuYmplbWFpZ29ja2Ts4Ojm7uLq5e3h6efv4+vkHBAYFh4SG"
            + "hUdERkXHxMbFJyQmJaekpqVnZGZl5+Tm5RcUFhWXlJaVV1RWVdfU1tU3NDY1t7S2tXd0dnX39Pb1T5g4afKUqdOmz5g5a/acufPm"
            + "L1i4aPGSpcuWr1i5avWatevWb9i4afOWrdu279i5a/eevfv2Hzh46PCRo8eOnzh56vSZs+fOX7h46fKVq9eu37h56/adu/fuP3j4"
            + "6PGTp8+ev3j56vWbt+/ef/j46fOXr9++//j56/efv//+AwCs6rum",
        "eAFLVMjJT1fIT1PIyCwuyU8vSswt1lFIxBRUSMxLUcjNL0oFqS3JSM3Fqgqr4KjW0RBGS2KjSWI0SYwmidHCdLTOgVW6oyXi0CoR"
            + "GRiZmFlY2dg5OLm4eXj5+AUEhYRFRMXEJSSlpGVk5eQVFJWUVVTV1DU0tbR1dPX0DQyNjE1MzcwtLK2sbWzt7B0cnZxdXN3cPTy9"
            + "vH18/fwDAoOCQ0LDwiMio6JjYuPiExKTklNS09IzMrOyc3Lz8gsKi4pLSsvKKyqrqmtq6+obGpuaW1rb2js6u7p7evv6J0ycNHnK"
            + "1GnTZ8ycNXvO3HnzFyxctHjJ0mXLV6xctXrN2nXrN2zctHnL1m3bd+zctXvP3n37Dxw8dPjI0WPHT5w8dfrM2XPnL1y8dPnK1WvX"
            + "b9y8dfvO3Xv3Hzx89PjJ02fPX7x89frN23fvP3z89PnL12/ff/z89fvP33//Aazqu6Y=",
    ])
    func streamsOfOtherProgramsAreRead(_ text: String) throws {
        let stream = [UInt8](try #require(Data(base64Encoded: text)))
        let sentence = "a log of histograms, a log of histograms and more of them, "
        let content = Array(String(repeating: sentence, count: 40).utf8) + (0...255).map { UInt8($0) }
        #expect(ZlibStream.content(of: stream, limit: 1 << 20) == content)
        // What is cut off must not trap either.
        for length in 0..<stream.count {
            #expect(ZlibStream.content(of: Array(stream[..<length]), limit: 1 << 20) == nil)
        }
    }

    @Test func aStreamThatBecomesTooLongIsRefused() {
        let stream = ZlibStream.stream(of: [UInt8](repeating: 7, count: 1_000))
        #expect(ZlibStream.content(of: stream, limit: 999) == nil)
    }

    @Test func aDamagedStreamIsRefused() {
        var stream = ZlibStream.stream(of: Array("hello, log".utf8))
        stream[9] ^= 1
        #expect(ZlibStream.content(of: stream, limit: 1_000) == nil)
    }
}
