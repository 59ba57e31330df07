extension String {
    /// The string, shortened to fit into one line of a message.
    var abridged: String { count <= 60 ? self : prefix(57) + "..." }

    /// The ``printable`` string in double quotes.
    package var quoted: String { "\"" + printable + "\"" }

    /// The string, shortened and on one line.
    var printable: String { abridged.withoutControls }

    /// The string with escapes for control characters, which must not reach a terminal from a file.
    var withoutControls: String {
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
