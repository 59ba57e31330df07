import Testing

@testable import BenchHarness

@Suite struct ReadChecksumTests {
    private func sum(_ bytes: [UInt8], salt: UInt64 = 1) -> UInt64 {
        var checksum = ReadChecksum(salt: salt)
        bytes.withUnsafeBytes { checksum.fold($0) }
        return checksum.sum
    }

    /// The lengths pass through every way of reading: words, tails, and four lanes.
    @Test(arguments: Array(1...80) + [95, 96, 97, 127, 128, 129, 500])
    func everyByteCounts(_ length: Int) {
        let bytes = (0..<length).map { UInt8(truncatingIfNeeded: $0 &* 37) }
        let whole = sum(bytes)
        for index in bytes.indices {
            var changed = bytes
            changed[index] ^= 0x40
            #expect(sum(changed) != whole, "byte \(index) of \(length)")
        }
    }

    @Test func theLengthCounts() {
        let sums = (0..<200).map { sum([UInt8](repeating: 0, count: $0)) }
        #expect(Set(sums).count == sums.count)
    }

    @Test func theSaltDecides() {
        #expect(Set((0..<100).map { sum([1, 2, 3], salt: $0) }).count == 100)
    }

    @Test func theOrderCounts() {
        var (first, second) = (ReadChecksum(salt: 1), ReadChecksum(salt: 1))
        first.fold(1)
        first.fold(2)
        second.fold(2)
        second.fold(1)
        #expect(first != second)
    }
}
