import Foundation

/// A value of a field in a CSV file.
protocol CSVValue: SendableMetatype {
    /// Whether an empty field is a missing value.
    static var isOptional: Bool { get }
    /// The valid contents of a field, for messages.
    static var expectation: String { get }
    init?(csvField: CSVField, texts: inout TextPool)
    var csvField: String { get }
}

extension CSVValue {
    static var isOptional: Bool { false }
}

extension String: CSVValue {
    static var expectation: String { "text" }
    init?(csvField: CSVField, texts: inout TextPool) { self = texts.text(csvField) }
    var csvField: String { self }
}

/// Whole numbers are counts, durations and sizes, so none is negative.
extension Int: CSVValue {
    static var expectation: String { "a whole number from 0 to \(Int.max)" }

    init?(csvField: CSVField, texts: inout TextPool) {
        guard !csvField.isEmpty else { return nil }
        var value = 0
        for byte in csvField {
            guard let digit = byte.digit else { return nil }
            let (product, overflow) = value.multipliedReportingOverflow(by: 10)
            let (sum, carry) = product.addingReportingOverflow(digit)
            guard !overflow, !carry else { return nil }
            value = sum
        }
        self = value
    }

    var csvField: String { String(self) }
}

/// Rates and averages. They are written with three decimals, and no machine does more than the bound: so every ratio of
/// two figures is finite.
extension Double: CSVValue {
    static var expectation: String { "0, or a decimal number from 0.000001 to 1000000000000000000" }

    private static let bounds = 1e-6...1e18

    init?(csvField: CSVField, texts: inout TextPool) {
        if let exact = Self(plain: csvField), exact == 0 || Self.bounds.contains(exact) {
            self = exact
            return
        }
        // Rejects names such as nan, and hexadecimals, which Double would accept.
        guard csvField.allSatisfy({ $0.digit != nil || "+-.eE".utf8.contains($0) }),
            let value = Self(String(decoding: csvField, as: UTF8.self)), value == 0 || Self.bounds.contains(value)
        else { return nil }
        self = value
    }

    /// Creates a number from up to 15 digits with a decimal point: the digits and the power of ten are exact, so the
    /// quotient is correctly rounded.
    private init?(plain field: CSVField) {
        guard (1...16).contains(field.count), field.first?.digit != nil, field.last?.digit != nil else { return nil }
        var digits = 0
        var scale = 1.0
        var seenPoint = false
        for byte in field {
            if let digit = byte.digit {
                digits = digits * 10 + digit
                if seenPoint { scale *= 10 }
            } else if byte == UInt8(ascii: "."), !seenPoint {
                seenPoint = true
            } else {
                return nil
            }
        }
        guard seenPoint || field.count < 16 else { return nil }
        self = Double(digits) / scale
    }

    /// Three decimals: no figure here is more precise, and a comparison of two files should not show noise.
    var csvField: String { String(format: "%.3f", self) }
}

extension Bool: CSVValue {
    static var expectation: String { "true or false" }

    init?(csvField: CSVField, texts: inout TextPool) {
        if csvField.elementsEqual("true".utf8) {
            self = true
        } else if csvField.elementsEqual("false".utf8) {
            self = false
        } else {
            return nil
        }
    }

    var csvField: String { self ? "true" : "false" }
}

/// One of a few words.
extension CSVValue where Self: RawRepresentable & CaseIterable, RawValue == String {
    static var expectation: String { "one of \(allCases.map(\.rawValue).joined(separator: ", "))" }
    init?(csvField: CSVField, texts: inout TextPool) {
        guard let word = Self.allCases.first(where: { csvField.elementsEqual($0.rawValue.utf8) }) else { return nil }
        self = word
    }
    var csvField: String { rawValue }
}

extension ResultRow.Status: CSVValue {}
extension FilterReach: CSVValue {}

/// An optional value: an empty field is a missing value.
extension Optional: CSVValue where Wrapped: CSVValue {
    static var isOptional: Bool { true }
    static var expectation: String { Wrapped.expectation + ", or nothing" }

    init?(csvField: CSVField, texts: inout TextPool) {
        if csvField.isEmpty {
            self = nil
        } else {
            guard let value = Wrapped(csvField: csvField, texts: &texts) else { return nil }
            self = value
        }
    }

    var csvField: String { self?.csvField ?? "" }
}

extension UInt8 {
    /// Returns the value of a decimal digit in ASCII; nil for any other byte.
    @inline(__always)
    fileprivate var digit: Int? {
        let value = self &- UInt8(ascii: "0")
        return value < 10 ? Int(value) : nil
    }
}
