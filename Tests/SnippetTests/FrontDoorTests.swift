import Foundation
import TestSupport
import Testing

/// The pages that a newcomer reads first lead somewhere, and the map of the code is complete.
@Suite struct FrontDoorTests {
    private static let pages = [
        "README.md", "CONTRIBUTING.md", "Results/README.md", "Results/instrument/README.md", "Peers/README.md",
        "Sources/todo/README.md",
    ]

    @Test(arguments: pages) func everyLinkLeadsToAFileOrAHeading(page: String) throws {
        for line in try Pages.lines(page) {
            for link in line.matches(of: /\]\(([^)]+)\)/).map({ String($0.output.1) }) where !link.contains("://") {
                let parts = link.split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false)
                let target = parts[0].isEmpty ? page : Self.path(String(parts[0]), from: page)
                #expect(Self.exists(target), "\(page) links to \(link)")
                guard parts.count == 2, Self.exists(target) else { continue }
                let anchors = try Pages.lines(target).filter { $0.hasPrefix("#") }.map(Self.anchor)
                #expect(anchors.contains(String(parts[1])), "\(page) links to \(link)")
            }
        }
    }

    @Test func theReadmeIsAFrontDoorAndNoManual() throws {
        #expect(try Pages.lines("README.md").count - 1 <= 120)
    }

    @Test func theResultsAreReadAtOneSitting() throws {
        let words = try Pages.lines("Results/README.md").flatMap { $0.split(separator: " ") }
        #expect(words.count <= 2_000)
    }

    /// Each table of the map is about the folder that its heading names.
    @Test func theMapNamesEveryFolderOfTheLibraries() throws {
        var folder: String?
        var named: [String: Set<String>] = [:]
        for line in try Pages.lines("CONTRIBUTING.md") {
            if let heading = line.firstMatch(of: /^\| `(Sources\/[^`]*)\/` \|/) {
                folder = String(heading.output.1)
            } else if !line.hasPrefix("|") {
                folder = nil
            } else if let folder, let cell = line.split(separator: "|").first {
                named[folder, default: []].formUnion(cell.matches(of: /`([^`]+)`/).map { String($0.output.1) })
            }
        }
        for library in ["Sources/BenchHarness", "Sources/ManagedStore"] {
            #expect(try named[library] == Self.folders(library), "\(library)")
        }
        for (folder, names) in named {
            for name in names { #expect(Self.exists("\(folder)/\(name)"), "\(folder)/\(name)") }
        }
    }

    /// The anchor that GitHub gives a heading.
    private static func anchor(_ heading: Substring) -> String {
        heading.drop { "# ".contains($0) }.lowercased().filter { $0.isLetter || $0.isNumber || " -_".contains($0) }
            .replacing(" ", with: "-")
    }

    private static func path(_ link: String, from page: String) -> String {
        let base = Repository.url(page).deletingLastPathComponent()
        return String(
            base.appending(path: link).standardized.path(percentEncoded: false)
                .dropFirst(Repository.root.path(percentEncoded: false).count))
    }

    private static func exists(_ path: String) -> Bool {
        FileManager.default.fileExists(atPath: Repository.url(path).path(percentEncoded: false))
    }

    private static func folders(_ path: String) throws -> Set<String> {
        let url = Repository.url(path)
        let entries = try FileManager.default.contentsOfDirectory(
            at: url, includingPropertiesForKeys: [.isDirectoryKey])
        return Set(
            try entries.filter { try $0.resourceValues(forKeys: [.isDirectoryKey]).isDirectory == true }
                .map(\.lastPathComponent))
    }
}
