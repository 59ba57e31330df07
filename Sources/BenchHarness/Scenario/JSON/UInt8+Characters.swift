/// The characters of ASCII, as bytes of UTF-8.
extension UInt8 {
    var isDigit: Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(self) }
    var isLetter: Bool { (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(self | 0x20) }
    var isLetterOrDigit: Bool { isLetter || isDigit }

    /// Whether it needs no escaping in a file name, a CSV field, a command or a URL.
    var isInFileNames: Bool {
        isLetterOrDigit || self == UInt8(ascii: ".") || self == UInt8(ascii: "_") || self == UInt8(ascii: "-")
    }
}
