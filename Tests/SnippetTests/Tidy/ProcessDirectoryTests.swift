import Foundation
import TestSupport
import Testing

/// Tests leave no folders behind, even when their process is killed.
@Suite struct ProcessDirectoryTests {
    @Test func foldersOfEndedProcessesAreRemoved() throws {
        let parent = try TemporaryDirectory()
        let (running, ended) = (try ProcessDirectory(in: parent.url), try ProcessDirectory(in: parent.url))
        defer { running.abandon() }
        ended.abandon()
        ProcessDirectory.removeAbandoned(in: parent.url)
        #expect(try parent.names() == [running.url.lastPathComponent])
    }

    @Test func aFolderGoesWithItsLastReferenceUnlessItIsKept() throws {
        let kept = try TemporaryDirectory(isKept: true).path
        let removed = try TemporaryDirectory().path
        #expect(FileManager.default.fileExists(atPath: kept))
        #expect(!FileManager.default.fileExists(atPath: removed))
    }
}
