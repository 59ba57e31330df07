extension String {
    /// The text for a line of Markdown, in which it means nothing but itself: names and reasons come from files and
    /// from commit messages.
    var escapedForMarkdown: String {
        var escaped = ""
        var last: Character = " "
        for character in withoutControls {
            switch character {
            case "&": escaped += "&amp;"
            case "<": escaped += "&lt;"
            case ">": escaped += "&gt;"
            case "\\", "`", "*", "_", "[", "]", "|", "~", "!": escaped += "\\\(character)"
            // A mention and a number of an issue, but not the mark within a name.
            case "@" where !last.isLetter && !last.isNumber: escaped += "&#64;"
            case "#" where !last.isLetter && !last.isNumber: escaped += "&#35;"
            default: escaped.append(character)
            }
            last = character
        }
        return escaped
    }
}
