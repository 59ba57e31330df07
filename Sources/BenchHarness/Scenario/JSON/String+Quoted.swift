extension String {
    /// The string, shortened to fit into one line of a message.
    var abridged: String { count <= 60 ? self : prefix(57) + "..." }

    /// The ``printable`` string in double quotes.
    var quoted: String { "\"" + printable + "\"" }

    /// The string, shortened and on one line: control characters from a file must not reach a terminal.
    var printable: String {
        let scalars = abridged.unicodeScalars.map { scalar in
            switch scalar.properties.generalCategory {
            case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate, .privateUse, .unassigned:
                "\\u{\(String(scalar.value, radix: 16))}"
            default: String(scalar)
            }
        }
        return scalars.joined()
    }
}
