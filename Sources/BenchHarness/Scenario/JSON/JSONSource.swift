/// The text of a JSON file, which maps byte offsets to the line and column that an editor shows.
struct JSONSource: Sendable {
    /// The file's name in messages.
    let file: String
    let bytes: [UInt8]
    /// The numbers that the command line sets. Their offsets follow the end of the file.
    var settings: [String] = []

    /// Returns the offset of a number that the command line sets.
    func offset(ofSetting index: Int) -> Int { bytes.count + 1 + index }

    /// Returns the number that the command line sets at an offset; nil for an offset in the file.
    func setting(at offset: Int) -> String? {
        offset > bytes.count ? settings[offset - bytes.count - 1] : nil
    }

    /// Returns line and column, both from 1; a column is a Unicode scalar. Linear in `offset`: only errors need it.
    func position(of offset: Int) -> (line: Int, column: Int) {
        let before = bytes.prefix(offset)
        let line = before.count { $0 == UInt8(ascii: "\n") } + 1
        let start = before.lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0
        // Bytes of the form 10xxxxxx continue a scalar that an earlier byte began.
        let column = before[start...].count { $0 & 0xC0 != 0x80 } + 1
        return (line, column)
    }
}
