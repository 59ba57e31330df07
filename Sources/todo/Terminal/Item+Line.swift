import Foundation

extension Item {
    /// The item in the format of a list: number, box, name.
    var line: String {
        let number = objectID.number
        let margin = String(repeating: " ", count: max(0, 4 - number.count))
        return "\(margin)\(number) [\(done ? "x" : " ")] \(name.printable)"
    }
}

extension String {
    /// The name on one line, without control characters for the terminal.
    fileprivate var printable: String {
        let isControl = { (scalar: Unicode.Scalar) in scalar.properties.generalCategory == .control }
        guard unicodeScalars.contains(where: isControl) else { return self }
        return String(String.UnicodeScalarView(unicodeScalars.map { isControl($0) ? "\u{FFFD}" : $0 }))
    }
}

extension Terminal {
    /// Writes a list, some thousand items at a time.
    static func write(_ items: [Item]) throws {
        for start in stride(from: 0, to: items.count, by: 4096) {
            let lines = items[start..<min(start + 4096, items.count)].map { "\($0.line)\n" }
            try write(lines.joined())
        }
    }
}
