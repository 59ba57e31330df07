/// Texts in YAML.
enum YAMLText {
    /// Returns a text in double quotes, which YAML reads as JSON does.
    static func quoted(_ text: String) -> String {
        let escaped = text.unicodeScalars.map { scalar in
            switch scalar {
            case "\"": "\\\""
            case "\\": "\\\\"
            case "\n": "\\n"
            case "\t": "\\t"
            default: isPrintable(scalar) ? String(scalar) : escape(scalar)
            }
        }
        return "\"" + escaped.joined() + "\""
    }

    /// Returns a text as the value of a key, as it is where YAML allows it.
    ///
    /// - Parameter indent: The spaces before each line of the text.
    static func block(_ text: String, indent: Int) -> String {
        guard text.unicodeScalars.last == "\n", text.unicodeScalars.allSatisfy({ $0 == "\n" || isPrintable($0) }) else {
            return quoted(text)
        }
        // Without the number, the spaces before the first line would be those of all; "+" keeps all lines at the end.
        let margin = String(repeating: " ", count: indent)
        let lines = ShellText.lines(text).dropLast().map { $0.isEmpty ? "" : margin + $0 }
        return "|2+\n" + lines.joined(separator: "\n")
    }

    /// Whether YAML of each version reads a character as itself, within a line.
    private static func isPrintable(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x20...0x7E, 0xA0...0x2027, 0x202A...0xD7FF, 0xE000...0xFEFE, 0xFF00...0xFFFD, 0x1_0000...0x10_FFFF: true
        default: false
        }
    }

    private static func escape(_ scalar: Unicode.Scalar) -> String {
        let digits = String(scalar.value, radix: 16)
        return "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
    }
}
