import Foundation
import TestSupport

/// A repository of git in a folder of a test.
struct GitRepository {
    struct Failure: Error { var errors: String }

    let folder: URL

    /// Creates the repository with the branch `main`.
    init(in folder: URL) throws {
        self.folder = folder
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        try git("init", "--quiet", "--initial-branch=main")
    }

    /// Runs git, which must succeed, apart from the settings of the machine.
    @discardableResult
    func git(_ arguments: String...) throws -> String {
        let identity = ["-c", "user.name=Tester", "-c", "user.email=tester@example.com", "-c", "commit.gpgsign=false"]
        let outcome = try Script.run(
            "/usr/bin/env", ["git"] + identity + arguments, folder: folder,
            environment: ["GIT_CONFIG_GLOBAL": "/dev/null", "GIT_CONFIG_SYSTEM": "/dev/null"])
        guard outcome.code == 0 else { throw Failure(errors: outcome.errors) }
        return outcome.output.trimmingCharacters(in: .whitespacesAndNewlines)
    }

    /// Writes a file, whose folder is created.
    func write(_ text: String, to path: String) throws {
        let file = folder.appendingPathComponent(path)
        try FileManager.default.createDirectory(
            at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(text.utf8).write(to: file)
    }

    /// Commits everything.
    ///
    /// - Returns: The commit.
    @discardableResult
    func commit(_ message: String) throws -> String {
        try git("add", "--all")
        try git("commit", "--quiet", "--allow-empty", "--message", message)
        return try git("rev-parse", "HEAD")
    }
}
