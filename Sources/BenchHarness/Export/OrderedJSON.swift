/// JSON whose members keep their order. Foundation's encoder does not offer that, and people who read such files expect
/// it.
indirect enum OrderedJSON {
    case string(String)
    /// A number in its written form.
    case literal(String)
    case array([OrderedJSON])
    /// An object, without the members that are nil.
    case object([(String, OrderedJSON?)])

    static func integer(_ value: Int) -> Self { .literal(String(value)) }
    static func bool(_ value: Bool) -> Self { .literal(value ? "true" : "false") }
    /// - Precondition: The number is finite: JSON has no others.
    static func number(_ value: Double) -> Self {
        precondition(value.isFinite, "\(value) is no number in JSON")
        return .literal("\(value)")
    }

    /// Returns the text, indented by two spaces; all lines but the first begin with `indent`.
    func text(indent: String = "") -> String {
        var text = ""
        write(to: &text, indent: indent)
        return text
    }

    private func write(to text: inout String, indent: String) {
        switch self {
        case .string(let value): text += Self.quoted(value)
        case .literal(let value): text += value
        case .array(let elements):
            Self.write(elements.map { ("", $0) }, in: "[]", to: &text, indent: indent)
        case .object(let members):
            let present = members.compactMap { name, value in value.map { (Self.quoted(name) + ": ", $0) } }
            Self.write(present, in: "{}", to: &text, indent: indent)
        }
    }

    private static func write(
        _ elements: [(String, OrderedJSON)], in brackets: String, to text: inout String, indent: String
    ) {
        text += brackets.prefix(1)
        for (index, (start, value)) in elements.enumerated() {
            text += (index == 0 ? "\n" : ",\n") + indent + "  " + start
            value.write(to: &text, indent: indent + "  ")
        }
        if !elements.isEmpty { text += "\n" + indent }
        text += brackets.suffix(1)
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
