import Foundation

/// PostgreSQL's binary form of a `numeric`: four 16-bit numbers (how many digits follow, the weight of the first, the
/// sign, the decimal places to show), then the digits to the base of 10,000.
enum NumericForm {
    private static let positive: UInt16 = 0x0000
    private static let negative: UInt16 = 0x4000
    private static let placesPerDigit = 4
    private static let base: UInt64 = 10_000

    /// Returns the number; nil for NaN, infinity and bytes of another form.
    static func number(_ bytes: UnsafeRawBufferPointer) -> DecimalNumber? {
        guard bytes.count >= 8 else { return nil }
        func word(_ index: Int) -> UInt16 {
            UInt16(bigEndian: bytes.loadUnaligned(fromByteOffset: index * 2, as: UInt16.self))
        }
        let (count, weight, sign) = (Int(word(0)), Int(Int16(bitPattern: word(1))), word(2))
        guard bytes.count == 8 + 2 * count, sign == positive || sign == negative else { return nil }
        if count == 0 { return .whole(0) }
        let digits = (0..<count).map { UInt64(word(4 + $0)) }
        return whole(digits, weight, isNegative: sign == negative)
            ?? real(digits, weight, isNegative: sign == negative)
    }

    /// Returns the number if it is an integer of 64 bits.
    private static func whole(_ digits: [UInt64], _ weight: Int, isNegative: Bool) -> DecimalNumber? {
        guard weight >= 0, weight < 5, digits.count <= weight + 1 else { return nil }
        var magnitude: UInt64 = 0
        for index in 0...weight {
            let (product, overflow) = magnitude.multipliedReportingOverflow(by: base)
            let (sum, carry) = product.addingReportingOverflow(index < digits.count ? digits[index] : 0)
            if overflow || carry { return nil }
            magnitude = sum
        }
        if isNegative, magnitude == Int64.min.magnitude { return .whole(.min) }
        return Int64(exactly: magnitude).map { .whole(isNegative ? -$0 : $0) }
    }

    private static func real(_ digits: [UInt64], _ weight: Int, isNegative: Bool) -> DecimalNumber? {
        let text = digits.map { String(String(base + $0).dropFirst()) }.joined()
        let exponent = (weight - digits.count + 1) * placesPerDigit
        return Double("\(isNegative ? "-" : "")\(text)e\(exponent)").map { .real($0) }
    }

    /// Appends the form of a number.
    static func append(_ number: DecimalNumber, to buffer: inout BinaryBuffer) {
        switch number {
        case .whole(let value): append(String(value.magnitude), exponent: 0, isNegative: value < 0, to: &buffer)
        case .real(let value): append(value, to: &buffer)
        }
    }

    /// Splits `1.25e-07` into the digits `125` and the exponent -9.
    private static func append(_ value: Double, to buffer: inout BinaryBuffer) {
        let parts = "\(value.magnitude)".split(separator: "e")
        let mantissa = parts[0].split(separator: ".")
        let fraction = mantissa.count > 1 ? mantissa[1] : ""
        let exponent = (parts.count > 1 ? Int(parts[1]) ?? 0 : 0) - fraction.count
        append("\(mantissa[0])\(fraction)", exponent: exponent, isNegative: value < 0, to: &buffer)
    }

    /// Appends the number of the decimal digits times a power of ten.
    private static func append(_ digits: String, exponent: Int, isNegative: Bool, to buffer: inout BinaryBuffer) {
        var text = digits.drop { $0 == "0" }
        var exponent = exponent
        while text.last == "0" {
            text.removeLast()
            exponent += 1
        }
        // Both ends lie at a multiple of four decimal places.
        let trailing = (exponent % placesPerDigit + placesPerDigit) % placesPerDigit
        let all = text + String(repeating: "0", count: trailing)
        let leading = (placesPerDigit - all.count % placesPerDigit) % placesPerDigit
        let padded = Array((String(repeating: "0", count: leading) + all).utf8)
        let groups = text.isEmpty ? 0 : padded.count / placesPerDigit
        let weight = groups == 0 ? 0 : (exponent - trailing) / placesPerDigit + groups - 1
        buffer.append(UInt16(groups))
        buffer.append(UInt16(bitPattern: Int16(weight)))
        buffer.append(isNegative && groups > 0 ? negative : positive)
        buffer.append(UInt16(max(0, -exponent)))
        for group in 0..<groups {
            let ascii = padded[(group * placesPerDigit)..<(group + 1) * placesPerDigit]
            buffer.append(ascii.reduce(0 as UInt16) { $0 * 10 + UInt16($1 - UInt8(ascii: "0")) })
        }
    }
}
