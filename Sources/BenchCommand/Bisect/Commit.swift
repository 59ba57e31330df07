/// A commit of git.
struct Commit: Equatable, CustomStringConvertible {
    let hash: String
    let title: String

    var short: String { String(hash.prefix(10)) }
    var description: String { "\(short) \(Self.printable(title))" }

    static func == (one: Self, other: Self) -> Bool { one.hash == other.hash }

    /// Returns the text without characters that could control a terminal.
    static func printable(_ text: String) -> String {
        let scalars = text.unicodeScalars.filter { ![.control, .format].contains($0.properties.generalCategory) }
        return String(String.UnicodeScalarView(scalars))
    }
}
