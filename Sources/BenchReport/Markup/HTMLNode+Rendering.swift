import BenchHarness

extension HTMLNode {
    /// The whole page, with this node as its `html` element.
    var document: String { "<!DOCTYPE html>\n" + html + "\n" }

    /// The node as HTML.
    var html: String {
        var html = ""
        write(to: &html)
        return html
    }

    private func write(to html: inout String) {
        switch content {
        case .text(let text): html += Self.escaped(text)
        case .group(let nodes): for node in nodes { node.write(to: &html) }
        case .stylesheet(let css): html += "<style>\n\(css)</style>\n"
        case .element(let name, let attributes, let children):
            Self.write(name.description, attributes, children, to: &html)
        }
    }

    private static func write(
        _ name: String, _ attributes: HTMLAttributes, _ children: [HTMLNode], to html: inout String
    ) {
        html += "<\(name)"
        for (attribute, value) in attributes.pairs {
            if let value { html += " \(attribute)=\"\(escaped(value))\"" }
        }
        html += ">"
        if !voidNames.contains(name) {
            for child in children { child.write(to: &html) }
            html += "</\(name)>"
        }
        if !inlineNames.contains(name) { html += "\n" }
    }

    /// Returns the text with markup characters escaped, for text and for values between double quotes. Control
    /// characters and noncharacters, which HTML or XML forbid, become the replacement character.
    private static func escaped(_ text: String) -> String {
        var escaped = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            switch scalar {
            case "&": escaped.append(contentsOf: "&amp;".unicodeScalars)
            case "<": escaped.append(contentsOf: "&lt;".unicodeScalars)
            case ">": escaped.append(contentsOf: "&gt;".unicodeScalars)
            case "\"": escaped.append(contentsOf: "&quot;".unicodeScalars)
            case "\t", "\n": escaped.append(scalar)
            default:
                let properties = scalar.properties
                let isForbidden = properties.generalCategory == .control || properties.isNoncharacterCodePoint
                escaped.append(isForbidden ? "\u{FFFD}" : scalar)
            }
        }
        return String(escaped)
    }

    /// Elements without content and end tag.
    private static let voidNames: Set = ["meta", "link", "br", "input"]
    /// Elements that no white space follows, since it would be visible.
    private static let inlineNames: Set = [
        "a", "b", "br", "code", "em", "input", "label", "small", "span", "strong", "td", "th", "tspan", "html",
    ]
}
