/// Comma-separated values as RFC 4180 has them, with LF for line ends. ``CSVReader`` reads them.
enum CSV {
    /// One line, with its line end. A field is quoted only where it must be.
    static func line(_ fields: [String]) -> String {
        fields.map(quotedIfNeeded).joined(separator: ",") + "\n"
    }

    private static func quotedIfNeeded(_ field: String) -> String {
        guard field.utf8.contains(where: { ",\"\n\r".utf8.contains($0) }) else { return field }
        return "\"" + field.split(separator: "\"", omittingEmptySubsequences: false).joined(separator: "\"\"") + "\""
    }
}
