extension String {
    /// The string, shortened to fit into one line of a message.
    var abridged: String { count <= 60 ? self : prefix(57) + "..." }

    /// The ``printable`` string in double quotes.
    package var quoted: String { "\"" + printable + "\"" }

    /// The string, shortened and on one line.
    var printable: String { abridged.withoutControls }

    /// Returns the string with escapes for control characters, but for line breaks and, if it is coloured, those of
    /// ``TextTable/Style``, for a terminal.
    package func harmless(isColoured: Bool) -> String {
        split(separator: "\u{1B}", omittingEmptySubsequences: false).enumerated().map { index, part in
            let colour = isColoured && index > 0 ? part.prefixMatch(of: /\[(?:[012]|3[123])m/)?.output : nil
            let rest = part.dropFirst(colour?.count ?? 0)
            let lines = rest.split(omittingEmptySubsequences: false) { $0 == "\n" }
            let start = colour.map { "\u{1B}" + $0 } ?? (index > 0 ? "\u{1B}".withoutControls : "")
            return start + lines.map { String($0).withoutControls }.joined(separator: "\n")
        }.joined()
    }

    /// The string with escapes for control characters, which must not reach a terminal from a file.
    package var withoutControls: String {
        let scalars = unicodeScalars.map { scalar in
            switch scalar.properties.generalCategory {
            case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate, .privateUse, .unassigned:
                "\\u{\(String(scalar.value, radix: 16))}"
            default: String(scalar)
            }
        }
        return scalars.joined()
    }
}
