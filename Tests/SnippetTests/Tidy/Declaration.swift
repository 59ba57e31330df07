/// Where a source declares a name.
struct Declaration {
    /// The file and the line, for messages.
    let place: String
    /// Such as `func`.
    let keyword: String
    let name: String
    /// Whether other packages may use it.
    let isPublic: Bool

    static let types: Set<Substring> = ["struct", "class", "enum", "actor", "protocol", "typealias"]
    private static let keywords = types.union(["func", "var", "let", "case"])

    /// The declarations in `code`, as far as each line shows them.
    static func all(in code: [Substring], of path: String) -> [Declaration] {
        code.enumerated().flatMap { index, line in
            zip(line.words, line.words.dropFirst()).enumerated().compactMap { position, pair -> Declaration? in
                let (keyword, name) = pair
                guard keywords.contains(keyword.text), name.isApart, !keywords.contains(name.text) else { return nil }
                if keyword.text == "case", position > 0 || !name.isElement { return nil }
                let modifiers = line.words.prefix(position).map(\.text)
                return Declaration(
                    place: "\(path):\(index + 1)", keyword: String(keyword.text), name: String(name.text),
                    isPublic: modifiers.contains("public") || modifiers.contains("open"))
            }
        }
    }
}

/// A word of a line of code.
struct CodeWord {
    let text: Substring
    /// Whether only spaces are between it and the word before.
    let isApart: Bool
    /// The character behind it, if there is one.
    let next: UInt8?

    /// Whether the word after `case` can be an element of an enumeration, not a pattern.
    fileprivate var isElement: Bool {
        text.first?.isLowercase == true && next != UInt8(ascii: ":") && next != UInt8(ascii: ",")
    }
}

extension Substring {
    /// The words of code: runs of letters, digits and underscores.
    var words: [CodeWord] {
        let bytes = Array(utf8)
        var words: [CodeWord] = []
        var end = 0
        while let start = bytes[end...].firstIndex(where: \.isInWord) {
            let gap = bytes[end..<start]
            end = bytes[start...].firstIndex { !$0.isInWord } ?? bytes.count
            words.append(
                CodeWord(
                    text: Substring(decoding: bytes[start..<end], as: UTF8.self),
                    isApart: gap.allSatisfy { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "`") },
                    next: end < bytes.count ? bytes[end] : nil))
        }
        return words
    }

    var identifiers: [Substring] { words.map(\.text) }
}

extension UInt8 {
    /// Whether identifiers have the byte.
    fileprivate var isInWord: Bool {
        switch self {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"): true
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), 0x80...: true
        default: false
        }
    }
}
