/// Reads JSON (RFC 8259) strictly.
///
/// Foundation's `JSONDecoder` reports neither line nor column, accepts duplicate keys and trailing commas, and reads
/// `1e6` as an integer. Each of them is a likely typing mistake in a scenario, which deserves an error. This reader
/// takes any bytes and either returns a value or throws; nesting and size are bounded. Unlike RFC 8259, it passes over
/// comments from `//` to the end of the line.
struct JSONReader {
    /// The largest depth of nested arrays and objects: the reader recurses, and the stack is finite.
    static let depthMax = 64
    /// The largest scenario file, in bytes.
    static let sizeMaxBytes = 1 << 20

    private let bytes: [UInt8]
    private var index = 0
    private var depth = 0

    private init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }

    /// Reads the one value that `bytes` hold.
    static func read(_ bytes: [UInt8]) throws(JSONSyntaxError) -> JSONNode {
        try checkEncoding(bytes)
        var reader = JSONReader(bytes)
        reader.skipSpace()
        if reader.next == nil { throw JSONSyntaxError(offset: 0, found: "an empty file", expected: "a JSON object") }
        let node = try reader.value()
        reader.skipSpace()
        if reader.next != nil { throw reader.unexpected(expected: "nothing after the end of the JSON value") }
        return node
    }

    private static func checkEncoding(_ bytes: [UInt8]) throws(JSONSyntaxError) {
        guard bytes.count <= sizeMaxBytes else {
            throw JSONSyntaxError(
                offset: 0, found: "a file of more than \(sizeMaxBytes) bytes", expected: "a smaller one")
        }
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) {
            throw JSONSyntaxError(offset: 0, found: "a byte order mark", expected: "UTF-8 without one")
        }
        var parser = Unicode.UTF8.ForwardParser()
        var iterator = bytes.makeIterator()
        var offset = 0
        while true {
            switch parser.parseScalar(from: &iterator) {
            case .valid(let scalar): offset += scalar.count
            case .emptyInput: return
            case .error: throw JSONSyntaxError(offset: offset, found: "a byte that is not UTF-8", expected: "UTF-8")
            }
        }
    }
}

// MARK: - Values

extension JSONReader {
    private mutating func value() throws(JSONSyntaxError) -> JSONNode {
        let start = index
        func node(_ value: JSONNode.Value) -> JSONNode { JSONNode(value: value, offset: start, end: index) }
        return switch next {
        case UInt8(ascii: "{"): node(.object(try object()))
        case UInt8(ascii: "["): node(.array(try array()))
        case UInt8(ascii: "\""): node(.string(try string()))
        case UInt8(ascii: "-"), .some(UInt8(ascii: "0")...UInt8(ascii: "9")): node(.number(try number()))
        default: node(try literal())
        }
    }

    private mutating func object() throws(JSONSyntaxError) -> [JSONMember] {
        var members: [JSONMember] = []
        var keys: Set<String> = []
        try list(closing: UInt8(ascii: "}")) { (reader: inout JSONReader) throws(JSONSyntaxError) in
            let member = try reader.member()
            guard keys.insert(member.key).inserted else {
                throw JSONSyntaxError(
                    offset: member.keyOffset, found: "the key \(member.key.quoted) a second time",
                    expected: "each key once")
            }
            members.append(member)
        }
        return members
    }

    private mutating func member() throws(JSONSyntaxError) -> JSONMember {
        let start = index
        guard next == UInt8(ascii: "\"") else { throw unexpected(expected: "a key in double quotes") }
        let key = try string()
        skipSpace()
        guard take(UInt8(ascii: ":")) else { throw unexpected(expected: "\":\" after the key \(key.quoted)") }
        skipSpace()
        return JSONMember(key: key, keyOffset: start, value: try value())
    }

    private mutating func array() throws(JSONSyntaxError) -> [JSONNode] {
        var elements: [JSONNode] = []
        try list(closing: UInt8(ascii: "]")) { (reader: inout JSONReader) throws(JSONSyntaxError) in
            elements.append(try reader.value())
        }
        return elements
    }

    /// Reads the elements of an array or object, with commas between them, up to `end`.
    private mutating func list(
        closing end: UInt8, element: (inout JSONReader) throws(JSONSyntaxError) -> Void
    ) throws(JSONSyntaxError) {
        depth += 1
        guard depth <= Self.depthMax else {
            throw JSONSyntaxError(
                offset: index, found: "too deep a nesting", expected: "at most \(Self.depthMax) levels")
        }
        let opening = index
        index += 1
        skipSpace()
        if !take(end) {
            repeat {
                try element(&self)
            } while try takeComma(before: end, opening: opening)
        }
        depth -= 1
    }

    /// Returns true after a comma before an element, false after `end`.
    private mutating func takeComma(before end: UInt8, opening: Int) throws(JSONSyntaxError) -> Bool {
        let start = index
        skipSpace()
        let comma = index
        if take(end) { return false }
        let name = Character(Unicode.Scalar(end))
        guard take(UInt8(ascii: ",")) else {
            if next != nil { throw missingComma(after: start, or: name) }
            throw JSONSyntaxError(offset: opening, found: "the end of the file", expected: "\"\(name)\" that ends this")
        }
        skipSpace()
        if next == end {
            throw JSONSyntaxError(
                offset: comma, found: "a comma before \"\(name)\"", expected: "no comma after the last element")
        }
        return true
    }

    /// Returns an error about a missing comma: at the end of a line if the next line continues with another element,
    /// otherwise at the token in place of the comma.
    private func missingComma(after end: Int, or closing: Character) -> JSONSyntaxError {
        let error = unexpected(expected: "\",\" or \"\(closing)\"")
        guard bytes[end..<index].contains(UInt8(ascii: "\n")), let next, next.beginsValue else { return error }
        return JSONSyntaxError(
            offset: end, found: "no comma at the end of the line",
            expected: "\",\" before \(error.found), or \"\(closing)\"")
    }

    private mutating func literal() throws(JSONSyntaxError) -> JSONNode.Value {
        let start = index
        while let byte = next, byte.isLetter || byte.isDigit { index += 1 }
        let word = String(decoding: bytes[start..<index], as: UTF8.self)
        switch word {
        case "true": return .bool(true)
        case "false": return .bool(false)
        case "null": return .null
        case "":
            throw unexpected(expected: "a value")
        default:
            throw JSONSyntaxError(
                offset: start, found: "the word \(word.quoted)", expected: "a value; text needs double quotes")
        }
    }

    private mutating func number() throws(JSONSyntaxError) -> JSONNumber {
        let start = index
        _ = take(UInt8(ascii: "-"))
        let leadingZero = next == UInt8(ascii: "0")
        let first = index
        try digits()
        if leadingZero, index - first > 1 {
            throw JSONSyntaxError(offset: start, found: "a number with a leading zero", expected: "no leading zero")
        }
        if take(UInt8(ascii: ".")) { try digits() }
        if take(UInt8(ascii: "e")) || take(UInt8(ascii: "E")) {
            if !take(UInt8(ascii: "-")) { _ = take(UInt8(ascii: "+")) }
            try digits()
        }
        return JSONNumber(text: String(decoding: bytes[start..<index], as: UTF8.self))
    }

    private mutating func digits() throws(JSONSyntaxError) {
        guard next?.isDigit == true else { throw unexpected(expected: "a digit") }
        while next?.isDigit == true { index += 1 }
    }
}

// MARK: - Strings

extension JSONReader {
    private mutating func string() throws(JSONSyntaxError) -> String {
        let start = index
        index += 1
        var text: [UInt8] = []
        while let byte = next {
            switch byte {
            case UInt8(ascii: "\""):
                index += 1
                return String(decoding: text, as: UTF8.self)
            case UInt8(ascii: "\\"):
                text.append(contentsOf: try escape().utf8)
            case 0..<0x20:
                throw JSONSyntaxError(
                    offset: index, found: byte == 0x0A ? "a line break in a string" : "a control character in a string",
                    expected: "an escape such as \\n, or the closing quote")
            default:
                text.append(byte)
                index += 1
            }
        }
        throw JSONSyntaxError(offset: start, found: "the end of the file in a string", expected: "the closing quote")
    }

    private mutating func escape() throws(JSONSyntaxError) -> String {
        let start = index
        index += 1
        let letter = next
        index += 1
        switch letter {
        case UInt8(ascii: "\""): return "\""
        case UInt8(ascii: "\\"): return "\\"
        case UInt8(ascii: "/"): return "/"
        case UInt8(ascii: "b"): return "\u{8}"
        case UInt8(ascii: "f"): return "\u{C}"
        case UInt8(ascii: "n"): return "\n"
        case UInt8(ascii: "r"): return "\r"
        case UInt8(ascii: "t"): return "\t"
        case UInt8(ascii: "u"): return String(Character(try unicodeEscape(start)))
        default:
            throw JSONSyntaxError(
                offset: start, found: "an unknown escape",
                expected: #"one of \" \\ \/ \b \f \n \r \t \uXXXX"#)
        }
    }

    /// Reads the scalar of `\uXXXX`, or of two such escapes that form a surrogate pair.
    private mutating func unicodeEscape(_ start: Int) throws(JSONSyntaxError) -> Unicode.Scalar {
        let high = try hexadecimals(start)
        if let scalar = Unicode.Scalar(high) { return scalar }
        if (0xD800..<0xDC00).contains(high), take(UInt8(ascii: "\\")), take(UInt8(ascii: "u")) {
            let low = try hexadecimals(start)
            if (0xDC00..<0xE000).contains(low),
                let scalar = Unicode.Scalar(0x10000 + (high - 0xD800) << 10 + (low - 0xDC00))
            {
                return scalar
            }
        }
        throw JSONSyntaxError(offset: start, found: "half a surrogate pair", expected: "both halves")
    }

    private mutating func hexadecimals(_ start: Int) throws(JSONSyntaxError) -> UInt32 {
        let digits = bytes.dropFirst(index).prefix(4)
        let text = String(decoding: digits, as: UTF8.self)
        guard digits.count == 4, digits.allSatisfy(\.isHexadecimal), let value = UInt32(text, radix: 16) else {
            throw JSONSyntaxError(offset: start, found: "an incomplete \\u escape", expected: "four hexadecimal digits")
        }
        index += 4
        return value
    }
}

// MARK: - Bytes

extension JSONReader {
    private var next: UInt8? { index < bytes.count ? bytes[index] : nil }

    private mutating func take(_ byte: UInt8) -> Bool {
        guard next == byte else { return false }
        index += 1
        return true
    }

    private mutating func skipSpace() {
        while let byte = next {
            if [0x20, 0x09, 0x0A, 0x0D].contains(byte) {
                index += 1
            } else if bytes[index...].starts(with: "//".utf8) {
                while let byte = next, byte != 0x0A { index += 1 }
            } else {
                return
            }
        }
    }

    /// Returns an error about the next token.
    private func unexpected(expected: String) -> JSONSyntaxError {
        guard let byte = next else {
            return JSONSyntaxError(offset: index, found: "the end of the file", expected: expected)
        }
        switch byte {
        case UInt8(ascii: "/"), UInt8(ascii: "#"):
            return JSONSyntaxError(offset: index, found: "a comment", expected: "\(expected); a comment begins with //")
        case UInt8(ascii: "'"):
            return JSONSyntaxError(offset: index, found: "a single quote", expected: "\(expected), in double quotes")
        case UInt8(ascii: "\""):
            var reader = self
            let found = (try? reader.string()).map { "the string \($0.quoted)" } ?? "a double quote"
            return JSONSyntaxError(offset: index, found: found, expected: expected)
        default:
            let rest = String(decoding: bytes[index...].prefix(4), as: UTF8.self)
            return JSONSyntaxError(offset: index, found: String(rest.prefix(1)).quoted, expected: expected)
        }
    }
}

extension UInt8 {
    fileprivate var beginsValue: Bool {
        switch self {
        case UInt8(ascii: "\""), UInt8(ascii: "-"), UInt8(ascii: "{"), UInt8(ascii: "["): true
        default: isLetter || isDigit
        }
    }
    fileprivate var isHexadecimal: Bool { isDigit || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(self | 0x20) }
}
