/// Texts in scripts of the POSIX shell, by which no text of a user is taken for a command.
///
/// Everything here counts in UTF-8: for a `Character`, a quote with a combining mark is no quote, and CR LF is no line
/// feed.
enum ShellText {
    /// The characters that stand for themselves everywhere.
    private static let plain = Set("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_./,:@%+".utf8)

    /// Returns a text as one word.
    static func word(_ text: String) -> String {
        if !text.isEmpty, text.utf8.allSatisfy(plain.contains) { return text }
        let quote = UInt8(ascii: "'")
        let escaped = text.utf8.flatMap { $0 == quote ? Array(#"'\''"#.utf8) : [$0] }
        return "'" + String(decoding: escaped, as: UTF8.self) + "'"
    }

    /// Returns a command that writes a text to a file.
    ///
    /// - Parameters:
    ///   - file: The file, as the shell reads it.
    ///   - mark: What the line after the text says. It is made longer if the text has such a line.
    static func writing(_ text: String, to file: String, mark: String) -> String {
        let lines = Set(lines(text))
        var end = mark
        while lines.contains(end) { end += "_" }
        let isWhole = text.isEmpty || text.utf8.last == newline
        return "cat > \(file) <<'\(end)'\n\(text)\(isWhole ? "" : "\n")\(end)"
    }

    private static let newline = UInt8(ascii: "\n")

    /// Returns the lines of a text, which only line feeds end.
    static func lines(_ text: String) -> [String] {
        text.utf8.split(separator: newline, omittingEmptySubsequences: false).map {
            String(decoding: $0, as: UTF8.self)
        }
    }
}
