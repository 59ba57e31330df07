import Foundation
import Testing

@testable import BenchHarness

@Suite struct RandomBytesTests {
    private func filled(_ count: Int, state: UInt64 = 5, letters: Bool) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: count)
        var random = RandomBytes(state: state)
        bytes.withUnsafeMutableBytes { letters ? random.fillWithLetters($0) : random.fill($0) }
        return bytes
    }

    /// The definition, a byte at a time.
    @Test(arguments: [0, 1, 7, 8, 9, 40, 2_001])
    func theyAreTheBytesOfEachDrawLowestFirst(_ count: Int) {
        var bits = SplitMix64(state: 5)
        var expected: [UInt8] = []
        while expected.count < count {
            let word = bits.next()
            expected += (0..<8).map { UInt8(truncatingIfNeeded: word >> UInt64(8 * $0)) }
        }
        expected = Array(expected.prefix(count))
        #expect(filled(count, letters: false) == expected)
        #expect(filled(count, letters: true) == expected.map { UInt8(ascii: "a") + UInt8(UInt16($0) * 26 / 256) })
    }

    @Test func everyLetterComesAboutAsOften() {
        let counts = Dictionary(filled(26_000, letters: true).map { ($0, 1) }, uniquingKeysWith: +)
        #expect(Set(counts.keys) == Set(UInt8(ascii: "a")...UInt8(ascii: "z")))
        #expect(counts.values.allSatisfy { (800...1_200).contains($0) })
    }

    /// What results were measured with is made again by every later version, on every machine.
    @Test func theyAreTheSameForGood() {
        #expect(String(decoding: filled(12, state: 1, letters: true), as: UTF8.self) == "tjanxebokxok")
    }
}
