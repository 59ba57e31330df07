/// A piece of an HTML page, SVG included.
///
/// Safe by construction: text and the values of attributes are escaped when they are rendered, and the names of
/// elements and attributes can only be literals, so that nothing that comes from a file can turn into markup.
struct HTMLNode: Sendable {
    enum Content: Sendable {
        case element(StaticString, HTMLAttributes, [HTMLNode])
        case text(String)
        case group([HTMLNode])
        case stylesheet(String)
    }

    let content: Content

    private init(_ content: Content) {
        self.content = content
    }

    /// An element with its children.
    static func tag(_ name: StaticString, _ attributes: HTMLAttributes = [:], _ children: [HTMLNode]) -> HTMLNode {
        HTMLNode(.element(name, attributes, children))
    }

    /// An element with its children.
    static func tag(_ name: StaticString, _ attributes: HTMLAttributes = [:], _ children: HTMLNode...) -> HTMLNode {
        HTMLNode(.element(name, attributes, children))
    }

    /// Text that comes from anywhere.
    static func text(_ text: String) -> HTMLNode { HTMLNode(.text(text)) }

    /// Several pieces, one after the other; none for nothing at all.
    static func group(_ nodes: [HTMLNode]) -> HTMLNode { HTMLNode(.group(nodes)) }

    /// A style sheet of our own, which is the one thing that is not escaped.
    static func stylesheet(_ css: String) -> HTMLNode {
        precondition(!css.contains("</"), "a style sheet would end early")
        return HTMLNode(.stylesheet(css))
    }
}

/// A literal in the place of a node is text, and is escaped as all text is, what is interpolated into it included.
extension HTMLNode: ExpressibleByStringInterpolation {
    /// Text.
    init(stringLiteral value: String) {
        self.init(.text(value))
    }
}

/// The attributes of an element, in the order in which they are written. Nil leaves an attribute out, an empty text
/// sets it.
struct HTMLAttributes: Sendable, ExpressibleByDictionaryLiteral {
    private(set) var pairs: [(name: StaticString, value: String?)]

    init(dictionaryLiteral elements: (StaticString, String?)...) {
        pairs = elements.map { (name: $0.0, value: $0.1) }
    }

    /// These and others after them.
    static func + (one: Self, other: Self) -> Self {
        var both = one
        both.pairs += other.pairs
        return both
    }
}
