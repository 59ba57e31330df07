import Foundation

/// The checkout of git that the working directory is in.
struct GitCheckout {
    /// The folder within the checkout, with a slash at its end; empty at its top.
    let prefix: String

    init() throws(UsageError) {
        let outcome = Self.git(["rev-parse", "--show-prefix"])
        guard outcome.code == 0 else {
            throw UsageError(
                "\(FileManager.default.currentDirectoryPath): this is no checkout of git (\(outcome.complaint)); "
                    + "run bench bisect in one")
        }
        prefix = outcome.line
    }

    /// Returns the commit of a name: a hash, a tag or a branch.
    func commit(_ name: String) throws(UsageError) -> Commit {
        let outcome = Self.git(["rev-parse", "--verify", "--quiet", "\(name)^{commit}"])
        guard !name.hasPrefix("-"), outcome.code == 0 else {
            throw UsageError(
                "there is no commit \"\(name)\" in this checkout; expected a commit, a tag or a branch that is fetched")
        }
        let title = Self.git(["log", "-1"] + Self.plain + ["--format=%s", outcome.line]).line
        return Commit(hash: outcome.line, title: title)
    }

    /// Returns the commits after `good` up to `bad` along the first parents, the oldest first.
    func line(from good: Commit, to bad: Commit) throws(UsageError) -> [Commit] {
        let (from, to) = (good.short, bad.short)
        guard good != bad else { throw UsageError("\(from)..\(to): both are one commit; give two") }
        guard isAncestor(good, of: bad) else {
            let swapped = isAncestor(bad, of: good) ? "did you mean \(to)..\(from)?" : "they are on different branches"
            throw UsageError("\(from) is not an ancestor of \(to); \(swapped)")
        }
        let log = ["log", "--first-parent", "--reverse"] + Self.plain
        let outcome = Self.git(log + ["--format=%H %P%x09%s", "\(good.hash)..\(bad.hash)"])
        guard outcome.code == 0 else { throw UsageError("git log \(from)..\(to): \(outcome.complaint)") }
        let lines = outcome.output.split(separator: "\n").map { line in
            let parts = line.split(separator: "\t", maxSplits: 1)
            let title = parts.count > 1 ? String(parts[1]) : ""
            return (hashes: parts[0].split(separator: " ").map(String.init), title: title)
        }
        if let start = lines.first?.hashes.dropFirst().first, start != good.hash {
            throw UsageError(
                "\(from) came into \(to) by a merge, and bench bisect follows first parents only; begin with "
                    + "\(start.prefix(10))..\(to)")
        }
        return lines.map { Commit(hash: $0.hashes[0], title: $0.title) }
    }

    private func isAncestor(_ commit: Commit, of other: Commit) -> Bool {
        Self.git(["merge-base", "--is-ancestor", commit.hash, other.hash]).code == 0
    }

    /// Checks out a commit in a new folder.
    func addWorktree(_ folder: URL, at commit: String) throws(UsageError) {
        let outcome = Self.git(["worktree", "add", "--quiet", "--detach", folder.path, commit])
        guard outcome.code == 0 else { throw UsageError("git worktree add \(folder.path): \(outcome.complaint)") }
    }

    /// Removes a worktree, also one that is there in part.
    func removeWorktree(_ folder: URL) {
        let isRemoved = Self.git(["worktree", "remove", "--force", folder.path]).code == 0
        try? FileManager.default.removeItem(at: folder)
        if !isRemoved { _ = Self.git(["worktree", "prune"]) }
    }

    /// What settings of the user could change.
    private static let plain = ["--no-color", "--no-show-signature", "--encoding=UTF-8"]

    /// Runs git without hooks of the repository.
    private static func git(_ arguments: [String]) -> ExternalProgram.Outcome {
        ExternalProgram.run("/usr/bin/env", ["git", "-c", "core.hooksPath=/dev/null"] + arguments)
    }
}
