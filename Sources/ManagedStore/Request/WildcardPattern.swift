/// A pattern of `LIKE`: `?` stands for one Unicode scalar and `*` for any number of them; a wildcard or backslash after
/// a backslash stands for itself.
struct WildcardPattern: Sendable {
    private enum Element: Equatable {
        case byte(UInt8)
        case oneScalar
        case anyScalars
    }

    private let elements: [Element]

    init(_ pattern: String) {
        var elements: [Element] = []
        var isEscaped = false
        for byte in pattern.utf8 {
            switch (byte, isEscaped) {
            case (UInt8(ascii: "\\"), false):
                isEscaped = true
                continue
            case (UInt8(ascii: "?"), false): elements.append(.oneScalar)
            case (UInt8(ascii: "*"), false): elements.append(.anyScalars)
            case (UInt8(ascii: "\\"), true), (UInt8(ascii: "?"), true), (UInt8(ascii: "*"), true):
                elements.append(.byte(byte))
            case (_, true): elements += [.byte(UInt8(ascii: "\\")), .byte(byte)]
            default: elements.append(.byte(byte))
            }
            isEscaped = false
        }
        if isEscaped { elements.append(.byte(UInt8(ascii: "\\"))) }
        self.elements = elements
    }

    /// Whether the pattern matches all of `text`. O(n m) in the worst case, O(n) for most patterns.
    func matches(_ text: UnsafeRawBufferPointer) -> Bool {
        var (position, element) = (0, 0)
        /// Where to continue if the elements after the last `*` do not match: `*` then covers one more scalar.
        var retry: (position: Int, element: Int)?
        while true {
            if element < elements.count, elements[element] == .anyScalars {
                retry = (position, element + 1)
                element += 1
            } else if element < elements.count, position < text.count, let end = step(elements[element], text, position)
            {
                (position, element) = (end, element + 1)
            } else if element == elements.count, position == text.count {
                return true
            } else {
                guard let last = retry, last.position < text.count else { return false }
                retry = (Self.endOfScalar(text, last.position), last.element)
                (position, element) = (retry?.position ?? text.count, last.element)
            }
        }
    }

    /// Returns the end of an element's match at `position`; nil if it does not match.
    private func step(_ element: Element, _ text: UnsafeRawBufferPointer, _ position: Int) -> Int? {
        switch element {
        case .byte(let byte): text[position] == byte ? position + 1 : nil
        case .oneScalar: Self.endOfScalar(text, position)
        case .anyScalars: nil
        }
    }

    private static func endOfScalar(_ text: UnsafeRawBufferPointer, _ position: Int) -> Int {
        var end = position + 1
        while end < text.count, text[end] & 0xC0 == 0x80 { end += 1 }
        return end
    }
}
