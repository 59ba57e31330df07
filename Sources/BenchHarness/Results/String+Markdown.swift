extension String {
    /// The text for a line or a cell of Markdown, in which it means nothing but itself: names and reasons come from
    /// files and from commit messages. It has no links and mentions, and no address becomes one.
    var escapedForMarkdown: String {
        var escaped = ""
        let characters = Array(withoutControls)
        for (index, character) in characters.enumerated() {
            let last = index > 0 ? characters[index - 1] : " "
            let next = index + 1 < characters.count ? characters[index + 1] : " "
            let isInWord = last.isLetter || last.isNumber
            switch character {
            case "&": escaped += "&amp;"
            case "<": escaped += "&lt;"
            case ">": escaped += "&gt;"
            // Within a name, and before a number, they are what they are.
            case "_" where isInWord && (next.isLetter || next.isNumber): escaped.append(character)
            case "~" where !isInWord && next.isNumber: escaped.append(character)
            case "\\", "`", "*", "_", "[", "]", "|", "~", "!": escaped += "\\\(character)"
            // A mention and a number of an issue, but not the mark within a name.
            case "@" where !isInWord: escaped += "&#64;"
            case "#" where !isInWord: escaped += "&#35;"
            case ":" where next == "/": escaped += "&#58;"
            case "." where String(characters[..<index].suffix(3)).lowercased() == "www": escaped += "&#46;"
            default: escaped.append(character)
            }
        }
        return escaped
    }
}
