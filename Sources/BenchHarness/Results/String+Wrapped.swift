extension String {
    /// Returns the text with its lines wrapped between words, for a terminal of `width` columns; nil keeps the lines.
    ///
    /// The rest of a line is set in by `hanging` columns, so that the beginnings of lines stay apart. A word that is
    /// wider than the terminal, such as a path, stays whole: it may be copied. Colours take no room.
    package func wrapped(to width: Int?, hanging: Int = 2) -> String {
        guard let width else { return self }
        return split(separator: "\n", omittingEmptySubsequences: false)
            .flatMap { $0.shownCount <= width ? [String($0)] : $0.wrappedLine(to: width, hanging) }
            .joined(separator: "\n")
    }
}

extension Substring {
    fileprivate func wrappedLine(to width: Int, _ hanging: Int) -> [String] {
        let indent = prefix { $0 == " " }
        var lines: [String] = []
        var line = String(indent)
        var isEmpty = true
        for word in dropFirst(indent.count).withUnitsKept.split(separator: " ", omittingEmptySubsequences: false) {
            if isEmpty {
                line += word
            } else if line.shownCount + 1 + word.shownCount <= width {
                line += " " + word
            } else {
                lines.append(line)
                line = indent + String(repeating: " ", count: hanging) + word
            }
            isEmpty = line.allSatisfy { $0 == " " }
        }
        return (lines + [line]).map { $0.replacing(Self.joint, with: " ") }
    }

    /// A space at which a line does not break.
    private static var joint: String { "\u{A0}" }

    /// The text with its percent signs kept at their numbers.
    private var withUnitsKept: Substring { replacing(" %", with: Self.joint + "%") }
}

extension StringProtocol {
    /// The number of columns that a terminal shows the text in.
    fileprivate var shownCount: Int {
        var count = 0
        var isEscape = false
        for character in self {
            if character == "\u{1B}" { isEscape = true }
            if !isEscape { count += 1 }
            if isEscape, character == "m" { isEscape = false }
        }
        return count
    }
}
