/// The code of a Swift file: its text with spaces in place of comments and of what strings say.
///
/// Code within an interpolation stays, and so do the ends of lines. A regular expression is read as code.
struct SwiftCode {
    private let text: [UInt8]
    private var position = 0
    private var code: [UInt8] = []

    private init(_ text: String) {
        self.text = Array(text.utf8)
        code.reserveCapacity(self.text.count)
    }

    /// The lines of the code of `text`.
    static func lines(of text: String) -> [Substring] {
        var reader = SwiftCode(text)
        reader.readCode()
        return String(decoding: reader.code, as: UTF8.self).split(separator: "\n", omittingEmptySubsequences: false)
    }

    /// Reads to the end, or past the parenthesis that closes an interpolation.
    private mutating func readCode(inInterpolation: Bool = false) {
        var depth = 0
        while position < text.count {
            switch text[position] {
            case UInt8(ascii: "/") where isAt("//"):
                while position < text.count, text[position] != newline { skip() }
                continue
            case UInt8(ascii: "/") where isAt("/*"):
                readBlockComment()
                continue
            case UInt8(ascii: "\""), UInt8(ascii: "#"):
                if let string = openString() {
                    readString(string)
                    continue
                }
            case UInt8(ascii: "("): depth += 1
            case UInt8(ascii: ")"): depth -= 1
            default: break
            }
            code.append(text[position])
            position += 1
            if inInterpolation, depth < 0 { return }
        }
    }

    private mutating func readBlockComment() {
        var depth = 0
        repeat {
            if isAt("/*") {
                depth += 1
                skip(2)
            } else if isAt("*/") {
                depth -= 1
                skip(2)
            } else {
                skip()
            }
        } while depth > 0 && position < text.count
    }

    /// How a string begins: the number of its `#`, and whether it goes over several lines.
    private struct Opening {
        let hashes: Int
        let isMultiline: Bool
    }

    private func openString() -> Opening? {
        var quote = position
        while quote < text.count, text[quote] == UInt8(ascii: "#") { quote += 1 }
        guard quote < text.count, text[quote] == UInt8(ascii: "\"") else { return nil }
        return Opening(hashes: quote - position, isMultiline: isAt("\"\"\"", from: quote))
    }

    private mutating func readString(_ opening: Opening) {
        let hashes = String(repeating: "#", count: opening.hashes)
        let quotes = opening.isMultiline ? "\"\"\"" : "\""
        let (end, escape) = (Array((quotes + hashes).utf8), Array(("\\" + hashes).utf8))
        skip(end.count)
        while position < text.count {
            let byte = text[position]
            if byte == end[0], isAt(end) { return skip(end.count) }
            // A string of one line that does not end there is a quotation mark in a regular expression.
            if byte == newline, !opening.isMultiline { return }
            guard byte == escape[0], isAt(escape) else {
                skip()
                continue
            }
            skip(escape.count)
            let isInterpolation = position < text.count && text[position] == UInt8(ascii: "(")
            skip()
            if isInterpolation { readCode(inInterpolation: true) }
        }
    }

    private let newline = UInt8(ascii: "\n")

    private func isAt(_ word: String, from start: Int? = nil) -> Bool {
        isAt(Array(word.utf8), from: start)
    }

    private func isAt(_ word: [UInt8], from start: Int? = nil) -> Bool {
        text[(start ?? position)...].starts(with: word)
    }

    private mutating func skip(_ count: Int = 1) {
        let end = min(position + count, text.count)
        while position < end {
            code.append(text[position] == newline ? newline : UInt8(ascii: " "))
            position += 1
        }
    }
}
