import Foundation

/// A value that stands in a field of a CSV file.
protocol CSVValue: SendableMetatype {
    init?(csvField: String)
    var csvField: String { get }
}

extension String: CSVValue {
    init?(csvField: String) { self = csvField }
    var csvField: String { self }
}

extension Int: CSVValue {
    init?(csvField: String) { self.init(csvField) }
    var csvField: String { String(self) }
}

extension Double: CSVValue {
    init?(csvField: String) { self.init(csvField) }
    /// Three decimals: no figure of ours is better than that, and a compare of two files should not show noise.
    var csvField: String { String(format: "%.3f", self) }
}

extension Bool: CSVValue {
    init?(csvField: String) { self.init(csvField) }
    var csvField: String { self ? "true" : "false" }
}

extension ResultRow.Status: CSVValue {
    init?(csvField: String) { self.init(rawValue: csvField) }
    var csvField: String { rawValue }
}

/// An empty field is a missing value.
extension Optional: CSVValue where Wrapped: CSVValue {
    init?(csvField: String) {
        let value = csvField.isEmpty ? nil : Wrapped(csvField: csvField)
        guard csvField.isEmpty || value != nil else { return nil }
        self = value
    }
    var csvField: String { self?.csvField ?? "" }
}
