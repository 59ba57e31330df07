import Foundation
import TestSupport
import Testing

@testable import BenchHarness

@Suite struct AtomicFileTests {
    private let folder: TemporaryDirectory

    init() throws {
        folder = try TemporaryDirectory()
    }

    @Test func whatWasThereStaysUntilTheFileIsWhole() throws {
        let url = try folder.write("old", to: "a.txt")
        do {
            let file = try AtomicFile(path: url.path)
            try file.append(Data("new".utf8))
            #expect(try String(contentsOf: url, encoding: .utf8) == "old")
        }
        #expect(try folder.names() == ["a.txt"])
        try AtomicFile.write(Data("new".utf8), to: url.path)
        #expect(try String(contentsOf: url, encoding: .utf8) == "new")
        #expect(try folder.names() == ["a.txt"])
    }

    @Test func aFolderInTheWayIsAnErrorAndLeavesNothing() throws {
        try FileManager.default.createDirectory(at: folder.file("a.txt"), withIntermediateDirectories: false)
        let error = #expect(throws: RunError.self) {
            try AtomicFile.write(Data("new".utf8), to: folder.file("a.txt").path)
        }
        #expect(error?.code == .output)
        #expect(try folder.names() == ["a.txt"])
    }
}
