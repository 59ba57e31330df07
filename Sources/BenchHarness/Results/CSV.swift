/// Comma-separated values according to RFC 4180, with LF as line end. ``CSVReader`` reads them.
package enum CSV {
    /// Returns one line with its line end. Only fields that need quotes have them.
    package static func line(_ fields: [String]) -> String {
        fields.map(quotedIfNeeded).joined(separator: ",") + "\n"
    }

    private static func quotedIfNeeded(_ field: String) -> String {
        guard field.utf8.contains(where: { ",\"\n\r".utf8.contains($0) }) else { return field }
        return "\"" + field.split(separator: "\"", omittingEmptySubsequences: false).joined(separator: "\"\"") + "\""
    }
}
