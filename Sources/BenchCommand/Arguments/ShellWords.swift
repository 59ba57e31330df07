/// The words of a command, as a POSIX shell splits it: with quotes and backslashes, and nothing else.
///
/// It counts in UTF-8, as the shell does.
struct ShellWords: Equatable {
    /// Why a command has no words.
    enum Problem: Error, Equatable {
        case unclosed(Character)
        /// A character that means something to a shell, outside of quotes.
        case operation(Character)
    }

    private(set) var words: [String] = []

    private static let blanks = Set(" \t\n".utf8)
    /// What would start a pipeline, a redirection or another command.
    private static let operators = Set("|&;<>()`".utf8)
    /// What a backslash takes the meaning from within double quotes.
    private static let escapable = Set("\"\\$`".utf8)
    private static let (single, double, escape) = (UInt8(ascii: "'"), UInt8(ascii: "\""), UInt8(ascii: "\\"))

    init(_ text: String) throws(Problem) {
        var rest = Array(text.utf8)[...]
        var word: [UInt8]?
        while let byte = rest.popFirst() {
            switch byte {
            case Self.single:
                word = (word ?? []) + (try Self.take(&rest, until: Self.single))
            case Self.double:
                word = (word ?? []) + (try Self.takeQuoted(&rest))
            case Self.escape:
                guard let next = rest.popFirst() else { throw .unclosed("\\") }
                // A line that goes on is one line.
                if next != UInt8(ascii: "\n") { word = (word ?? []) + [next] }
            case _ where Self.blanks.contains(byte):
                if let word { words.append(String(decoding: word, as: UTF8.self)) }
                word = nil
            case _ where Self.operators.contains(byte):
                throw .operation(Character(Unicode.Scalar(byte)))
            default:
                word = (word ?? []) + [byte]
            }
        }
        if let word { words.append(String(decoding: word, as: UTF8.self)) }
    }

    private static func take(_ rest: inout ArraySlice<UInt8>, until quote: UInt8) throws(Problem) -> [UInt8] {
        guard let end = rest.firstIndex(of: quote) else { throw .unclosed(Character(Unicode.Scalar(quote))) }
        defer { rest = rest[(end + 1)...] }
        return Array(rest[..<end])
    }

    private static func takeQuoted(_ rest: inout ArraySlice<UInt8>) throws(Problem) -> [UInt8] {
        var taken: [UInt8] = []
        while let byte = rest.popFirst() {
            if byte == double { return taken }
            guard byte == escape, let next = rest.first else {
                taken.append(byte)
                continue
            }
            rest.removeFirst()
            if next != UInt8(ascii: "\n") { taken += escapable.contains(next) ? [next] : [byte, next] }
        }
        throw .unclosed("\"")
    }
}
