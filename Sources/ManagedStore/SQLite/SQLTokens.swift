/// The tokens of SQL text as SQLite separates them, without white space and comments.
struct SQLTokens {
    enum Token: Equatable {
        /// A keyword or an identifier.
        case name(String, isQuoted: Bool)
        /// A number or a string.
        case literal
        /// An operator or a bracket.
        case symbol(String)
    }

    private let bytes: UnsafeRawBufferPointer
    private var position = 0

    init(_ bytes: UnsafeRawBufferPointer) { self.bytes = bytes }

    /// Returns the next token; nil at the end.
    mutating func next() -> Token? {
        skipBlanks()
        guard let byte = byte(0) else { return nil }
        let start = position
        switch byte {
        case UInt8(ascii: "'"):
            _ = quoted(by: byte)
            return .literal
        case UInt8(ascii: "\""), UInt8(ascii: "`"): return .name(quoted(by: byte), isQuoted: true)
        case UInt8(ascii: "["): return .name(quoted(by: UInt8(ascii: "]")), isQuoted: true)
        case _ where Self.isDigit(byte) || byte == UInt8(ascii: ".") && self.byte(1).map(Self.isDigit) == true:
            while let byte = self.byte(0), Self.isWord(byte) || byte == UInt8(ascii: ".") { position += 1 }
            return .literal
        case _ where Self.isWord(byte):
            while let byte = self.byte(0), Self.isWord(byte) { position += 1 }
            return .name(String(decoding: bytes[start..<position], as: UTF8.self), isQuoted: false)
        default:
            position += byte == UInt8(ascii: "|") && self.byte(1) == byte ? 2 : 1
            return .symbol(String(decoding: bytes[start..<position], as: UTF8.self))
        }
    }

    private func byte(_ offset: Int) -> UInt8? {
        position + offset < bytes.count ? bytes[position + offset] : nil
    }

    private mutating func skipBlanks() {
        while let byte = byte(0) {
            if byte <= UInt8(ascii: " ") {
                position += 1
            } else if byte == 0xEF, self.byte(1) == 0xBB, self.byte(2) == 0xBF {
                // A byte-order mark counts as white space anywhere.
                position += 3
            } else if byte == UInt8(ascii: "-"), self.byte(1) == byte {
                while let byte = self.byte(0), byte != UInt8(ascii: "\n") { position += 1 }
            } else if byte == UInt8(ascii: "/"), self.byte(1) == UInt8(ascii: "*") {
                position += 2
                while self.byte(0) != nil, self.byte(0) != UInt8(ascii: "*") || self.byte(1) != UInt8(ascii: "/") {
                    position += 1
                }
                position += 2
            } else {
                return
            }
        }
    }

    /// Returns the text between quotation marks; a doubled mark stands for one mark.
    private mutating func quoted(by mark: UInt8) -> String {
        var text: [UInt8] = []
        position += 1
        while let byte = byte(0) {
            position += 1
            if byte == mark {
                guard self.byte(0) == mark, mark != UInt8(ascii: "]") else { break }
                position += 1
            }
            text.append(byte)
        }
        return String(decoding: text, as: UTF8.self)
    }

    private static func isWord(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "_"),
            UInt8(ascii: "$"), 0x80...0xFF:
            true
        default: isDigit(byte)
        }
    }

    private static func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }
}
