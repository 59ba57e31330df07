import Foundation
import TestSupport

/// The texts that show Swift: the articles, the README, and the comments of the sources.
enum Pages {
    /// Every text's path, relative to the package, in alphabetical order.
    static func paths() throws -> [String] {
        let sources = try files("Sources").filter { $0.hasSuffix(".swift") || $0.hasSuffix(".md") }
        return ["README.md"] + sources
    }

    /// The files in a folder of the package and below, by their paths relative to the package.
    static func files(_ folder: String) throws -> [String] {
        let path = Repository.url(folder).path(percentEncoded: false)
        guard let files = FileManager.default.enumerator(atPath: path) else { throw CocoaError(.fileNoSuchFile) }
        return files.compactMap { $0 as? String }.map { "\(folder)/\($0)" }.sorted()
    }

    /// A file's lines.
    static func lines(_ path: String) throws -> [Substring] {
        try String(contentsOf: Repository.url(path), encoding: .utf8)
            .split(separator: "\n", omittingEmptySubsequences: false)
    }
}

/// A block of Swift as a text shows it.
struct Block {
    /// The file and the line where it begins, for messages.
    let place: String
    let code: String

    /// The blocks of a page, or of the documentation comments of a source.
    static func all(in path: String) throws -> [Block] {
        var blocks: [Block] = []
        var open: (place: String, lines: [Substring])?
        for (index, line) in try Pages.lines(path).enumerated() {
            guard let text = path.hasSuffix(".md") ? line : comment(line) else { continue }
            switch text {
            case "```swift": open = ("\(path):\(index + 1)", [])
            case "```":
                if let (place, lines) = open { blocks.append(Block(place: place, code: lines.joined(separator: "\n"))) }
                open = nil
            default: open?.lines.append(text)
            }
        }
        return blocks
    }

    /// What a line of a documentation comment says; nil for any other line.
    private static func comment(_ line: Substring) -> Substring? {
        let text = line.drop { $0 == " " }
        guard text.hasPrefix("///") else { return nil }
        return text.dropFirst(text.hasPrefix("/// ") ? 4 : 3)
    }
}
