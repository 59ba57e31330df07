import BenchHarness

/// A piece of an HTML page, SVG included.
///
/// Safe by construction: rendering escapes text and the values of attributes, and the names of elements and attributes
/// can only be literals, so that nothing from a file can turn into markup.
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

    /// Returns an element with its children.
    static func tag(_ name: StaticString, _ attributes: HTMLAttributes = [:], _ children: [HTMLNode]) -> HTMLNode {
        HTMLNode(.element(name, attributes, children))
    }

    /// Returns an element with its children.
    static func tag(_ name: StaticString, _ attributes: HTMLAttributes = [:], _ children: HTMLNode...) -> HTMLNode {
        HTMLNode(.element(name, attributes, children))
    }

    /// Returns the element with more attributes.
    func adding(_ attributes: HTMLAttributes) -> HTMLNode {
        guard case .element(let name, let own, let children) = content else { return self }
        return HTMLNode(.element(name, own + attributes, children))
    }

    /// Returns text from any source.
    static func text(_ text: String) -> HTMLNode { HTMLNode(.text(text)) }

    /// Returns several nodes in sequence; an empty group renders nothing.
    static func group(_ nodes: [HTMLNode]) -> HTMLNode { HTMLNode(.group(nodes)) }

    /// Returns one of the report's own style sheets, the only content that is not escaped.
    static func stylesheet(_ css: String) -> HTMLNode {
        precondition(!css.contains("</"), "a style sheet would end early")
        return HTMLNode(.stylesheet(css))
    }
}

/// A literal in place of a node is text. It is escaped, its interpolated values included.
extension HTMLNode: ExpressibleByStringInterpolation {
    /// Creates text.
    init(stringLiteral value: String) {
        self.init(.text(value))
    }
}

/// The attributes of an element, in the order in which they are rendered. Nil leaves an attribute out; an empty string
/// sets it.
struct HTMLAttributes: Sendable, ExpressibleByDictionaryLiteral {
    private(set) var pairs: [(name: StaticString, value: String?)]

    init(dictionaryLiteral elements: (StaticString, String?)...) {
        pairs = elements.map { (name: $0.0, value: $0.1) }
    }

    /// Returns these attributes, followed by others.
    static func + (one: Self, other: Self) -> Self {
        var both = one
        both.pairs += other.pairs
        return both
    }
}
