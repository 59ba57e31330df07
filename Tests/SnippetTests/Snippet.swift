/// A piece of a test of this target that some text shows: what stands between `// snippet.NAME` and `// snippet.end`,
/// less the indentation.
///
/// Pieces of the same name make one snippet, with an empty line between them: imports, for instance, and what goes into
/// a function. Lines that are for the formatter alone do not count. A line that cannot be compiled here, such as the
/// import of a module that the reader makes, stands behind `// snippet.line`.
struct Snippet {
    let name: String
    /// The file and the line where its first piece begins.
    let place: String
    var code: String

    static func all() throws -> [Snippet] {
        var snippets: [Snippet] = []
        for path in try Pages.files("Tests/SnippetTests") where path.hasSuffix(".swift") {
            for piece in try pieces(in: path) {
                if let index = snippets.firstIndex(where: { $0.name == piece.name }) {
                    snippets[index].code += "\n\n" + piece.code
                } else {
                    snippets.append(piece)
                }
            }
        }
        return snippets
    }

    private static func pieces(in path: String) throws -> [Snippet] {
        var pieces: [Snippet] = []
        var open: (name: String, place: String, lines: [Substring])?
        for (index, line) in try Pages.lines(path).enumerated() {
            let text = line.drop { $0 == " " }
            if text == "// snippet.end" {
                if let (name, place, lines) = open {
                    pieces.append(Snippet(name: name, place: place, code: code(lines)))
                }
                open = nil
            } else if text.hasPrefix("// snippet.line ") {
                open?.lines.append(text.dropFirst("// snippet.line ".count))
            } else if text.hasPrefix("// snippet.") {
                open = (String(text.dropFirst("// snippet.".count)), "\(path):\(index + 1)", [])
            } else if text != "// swift-format-ignore" {
                open?.lines.append(line)
            }
        }
        return pieces
    }

    /// Lines without the indentation that they have in common, and without empty ones at the end.
    private static func code(_ lines: [Substring]) -> String {
        let indentation = lines.filter { !$0.isEmpty }.map { $0.prefix { $0 == " " }.count }.min() ?? 0
        var lines = lines.map { $0.dropFirst(indentation) }
        while lines.last?.isEmpty == true { lines.removeLast() }
        return lines.joined(separator: "\n")
    }
}
