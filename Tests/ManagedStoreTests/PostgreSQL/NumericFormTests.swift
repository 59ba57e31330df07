import Foundation
import Testing

@testable import ManagedStore

@Suite struct NumericFormTests {
    private func bytes(_ number: DecimalNumber) -> [UInt8] {
        var buffer = BinaryBuffer()
        NumericForm.append(number, to: &buffer)
        return buffer.bytes
    }

    private func number(_ bytes: [UInt8]) -> DecimalNumber? { bytes.withUnsafeBytes { NumericForm.number($0) } }

    @Test(
        arguments: [
            0, 1, -1, 9, 10_000, 9_999, 10_001, 100_000_000, 123_456_789_012_345, .max, .min, .max - 1, .min + 1,
        ] as [Int64])
    func integersComeBack(_ value: Int64) {
        #expect(number(bytes(.whole(value))) == .whole(value))
    }

    @Test(arguments: [
        0.1, -0.1, 1.5, 12_345.678_9, 1e-10, 1.25e-7, 3e22, 1e300, -1e300, .leastNonzeroMagnitude,
        .greatestFiniteMagnitude,
        0x1p63, 1e19, 0.000_1, 0.000_01, 123.456e-5,
    ])
    func doublesComeBack(_ value: Double) {
        #expect(number(bytes(.real(value))) == .real(value))
    }

    @Test func randomNumbersComeBack() {
        var random = SystemRandomNumberGenerator()
        for _ in 0..<2_000 {
            let value = Double(bitPattern: random.next())
            if value.isFinite, Int64(exactly: value) == nil { #expect(number(bytes(.real(value))) == .real(value)) }
            let whole = Int64(bitPattern: random.next()) >> Int64.random(in: 0..<63)
            #expect(number(bytes(.whole(whole))) == .whole(whole))
        }
    }

    /// What `SELECT 12345.678::numeric` answers.
    @Test func theFormIsTheServers() {
        let form: [UInt8] = [0, 3, 0, 1, 0, 0, 0, 3, 0, 1, 0x09, 0x29, 0x1A, 0x7C]
        #expect(number(form) == .real(12_345.678))
        #expect(bytes(.real(12_345.678)) == form)
    }

    @Test func otherBytesAreNoNumber() {
        #expect(number([]) == nil)
        #expect(number([0, 1, 0, 0, 0, 0, 0, 0]) == nil)
        // NaN.
        #expect(number([0, 0, 0, 0, 0xC0, 0, 0, 0]) == nil)
    }
}
