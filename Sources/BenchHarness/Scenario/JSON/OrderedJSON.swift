/// JSON whose members keep their order. Foundation's encoder does not offer that, and people who read such files expect
/// it.
package indirect enum OrderedJSON: Sendable {
    case string(String)
    /// A number in its written form.
    case literal(String)
    case array([OrderedJSON])
    /// An object, without the members that are nil.
    case object([(String, OrderedJSON?)])

    package static func integer(_ value: Int) -> Self { .literal(String(value)) }
    package static func bool(_ value: Bool) -> Self { .literal(value ? "true" : "false") }
    /// - Precondition: The number is finite: JSON has no others.
    package static func number(_ value: Double) -> Self {
        precondition(value.isFinite, "\(value) is no number in JSON")
        return .literal("\(value)")
    }

    /// Returns the text, indented by two spaces; all lines but the first begin with `indent`. What fits within `width`
    /// is in one line.
    package func text(indent: String = "", width: Int = 0) -> String {
        var text = ""
        write(to: &text, indent: indent, width: width)
        return text
    }

    private func write(to text: inout String, indent: String, width: Int) {
        switch self {
        case .string(let value): text += Self.quoted(value)
        case .literal(let value): text += value
        case .array, .object:
            if width > 0 {
                let column = text.utf8.reversed().prefix { $0 != UInt8(ascii: "\n") }.count
                let line = self.line
                // A comma may follow.
                if column + line.count < width {
                    text += line
                    return
                }
            }
            let (brackets, parts) = (self.brackets, self.parts)
            text += brackets.open
            for (index, (start, value)) in parts.enumerated() {
                text += (index == 0 ? "\n" : ",\n") + indent + "  " + start
                value.write(to: &text, indent: indent + "  ", width: width)
            }
            if !parts.isEmpty { text += "\n" + indent }
            text += brackets.close
        }
    }

    /// The text in one line.
    private var line: String {
        switch self {
        case .string(let value): Self.quoted(value)
        case .literal(let value): value
        case .array: "[" + parts.map(\.value.line).joined(separator: ", ") + "]"
        case .object: "{ " + parts.map { $0 + $1.line }.joined(separator: ", ") + " }"
        }
    }

    private var brackets: (open: String, close: String) {
        if case .array = self { ("[", "]") } else { ("{", "}") }
    }

    /// What is between the brackets: values, after their names in an object.
    private var parts: [(start: String, value: OrderedJSON)] {
        switch self {
        case .string, .literal: []
        case .array(let elements): elements.map { ("", $0) }
        case .object(let members):
            members.compactMap { name, value in value.map { (Self.quoted(name) + ": ", $0) } }
        }
    }

    private static func quoted(_ value: String) -> String {
        var text = "\""
        for scalar in value.unicodeScalars {
            switch scalar {
            case "\"", "\\": text += "\\\(scalar)"
            case "\n": text += "\\n"
            case ..<" ": text += "\\u00" + (scalar.value < 16 ? "0" : "") + String(scalar.value, radix: 16)
            default: text.unicodeScalars.append(scalar)
            }
        }
        return text + "\""
    }
}
