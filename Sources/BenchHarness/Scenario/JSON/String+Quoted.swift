extension String {
    /// Shortened to what one line of a message has room for.
    var abridged: String { count <= 60 ? self : prefix(57) + "..." }

    /// In double quotes, and ``printable``.
    var quoted: String { "\"" + printable + "\"" }

    /// Abridged, on one line: what came from a file must not reach a terminal as control characters.
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
