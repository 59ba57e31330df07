/// Comma-separated values as RFC 4180 has them, with LF for line ends.
enum CSV {
    /// One line, with its line end. A field is quoted only where it must be.
    static func line(_ fields: [String]) -> String {
        fields.map(quotedIfNeeded).joined(separator: ",") + "\n"
    }

    /// The records of a text. Both line ends are understood; an unterminated last line is a record, an unterminated quote
    /// ends with the text.
    static func records(_ text: String) -> [[String]] {
        var reader = Reader()
        for scalar in text.unicodeScalars { reader.read(scalar) }
        reader.endOfText()
        return reader.records
    }

    private static func quotedIfNeeded(_ field: String) -> String {
        guard field.unicodeScalars.contains(where: { ",\"\n\r".unicodeScalars.contains($0) }) else { return field }
        return "\"" + field.split(separator: "\"", omittingEmptySubsequences: false).joined(separator: "\"\"") + "\""
    }

    /// Takes a text apart, scalar by scalar: a Character would swallow CR LF whole.
    private struct Reader {
        var records: [[String]] = []
        private var fields: [String] = []
        private var field = String.UnicodeScalarView()
        private var isQuoted = false
        private var sawQuote = false

        mutating func read(_ scalar: Unicode.Scalar) {
            if isQuoted, scalar != "\"", !sawQuote {
                field.append(scalar)
            } else if scalar == "\"" {
                quote()
            } else {
                isQuoted = false
                sawQuote = false
                separate(scalar)
            }
        }

        mutating func endOfText() {
            if !field.isEmpty || !fields.isEmpty { endRecord() }
        }

        /// A quote opens a quoted field, may close it, and stands for itself when doubled within.
        private mutating func quote() {
            if !isQuoted {
                isQuoted = true
            } else if sawQuote {
                field.append("\"")
                sawQuote = false
            } else {
                sawQuote = true
            }
        }

        private mutating func separate(_ scalar: Unicode.Scalar) {
            switch scalar {
            case ",": endField()
            case "\n": endRecord()
            case "\r": break
            default: field.append(scalar)
            }
        }

        private mutating func endField() {
            fields.append(String(field))
            field.removeAll()
        }

        private mutating func endRecord() {
            endField()
            records.append(fields)
            fields.removeAll()
        }
    }
}
