import Foundation
import TestSupport

/// The sources, for the rules that they keep.
extension Pages {
    /// The Swift files in a folder and below.
    static func swift(_ folder: String) throws -> [String] {
        try files(folder).filter { $0.hasSuffix(".swift") }
    }

    /// Whether the file shows a text's code: what it declares is named as the text wants it.
    static func isSnippet(_ path: String) -> Bool {
        path.hasPrefix("Tests/SnippetTests/") && path.contains(/Snippets?\.swift$/)
    }

    /// The lines of a Swift file, without what comments and strings say.
    static func code(_ path: String) throws -> [Substring] {
        SwiftCode.lines(of: try String(contentsOf: Repository.url(path), encoding: .utf8))
    }
}
