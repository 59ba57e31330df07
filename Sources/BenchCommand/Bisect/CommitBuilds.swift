import BenchHarness
import Foundation

/// The benches of commits: each is built in a worktree, once, and kept by its commit and the build.
struct CommitBuilds {
    /// Why a commit has no bench.
    struct Failure: Error {
        let reason: String
    }

    /// The user ended the search.
    struct Stopped: Error {}

    /// The command that builds.
    let command: String
    /// The program that it makes, relative to the folder in which it runs.
    let path: String
    private let checkout: GitCheckout
    private let folder: URL
    /// What tells builds of one commit apart: the command, and the system.
    private let key: String

    /// Creates the folder of the builds, by default the one that the action has as well.
    init(command: String, path: String, folder: String?, _ checkout: GitCheckout) throws(UsageError) {
        self.command = command
        self.path = path
        self.checkout = checkout
        self.folder = URL(fileURLWithPath: folder ?? Self.defaultFolder, isDirectory: true)
        do {
            try FileManager.default.createDirectory(at: self.folder, withIntermediateDirectories: true)
        } catch {
            throw UsageError("--builds \(self.folder.path): cannot create the folder; choose another")
        }
        guard OutputFile.isWritable(self.folder) else {
            throw UsageError("--builds \(self.folder.path): the folder is not writable; choose another")
        }
        // .ci/base.sh names what it keeps in the same way.
        let script = """
            { printf '%s\\n' "$1" "$2" "$3"; uname -sm; cat /etc/os-release 2>/dev/null || true
            swift --version 2>/dev/null || true; } | git hash-object --stdin | cut -c 1-16
            """
        key = ExternalProgram.run("/bin/sh", ["-c", script, "sh", command, path, checkout.prefix]).line
    }

    private static var defaultFolder: String {
        let environment = ProcessInfo.processInfo.environment
        let variable = { (name: String) in environment[name].flatMap { $0.isEmpty ? nil : $0 } }
        if let own = variable("BENCH_CACHE") { return own }
        let home = variable("HOME") ?? "/tmp"
        return (variable("RUNNER_TEMP") ?? variable("XDG_CACHE_HOME") ?? "\(home)/.cache") + "/bench-base"
    }

    /// Whether the bench of a commit is kept already.
    func isKept(_ commit: Commit) -> Bool { FileManager.default.isExecutableFile(atPath: program(commit)) }

    /// Returns the bench of a commit.
    ///
    /// - Throws: ``Failure`` if there is none, ``Stopped`` if the user ended the search.
    func bench(of commit: Commit, _ interruption: Interruption) throws -> String {
        if !isKept(commit) {
            let scratch = try ScratchFolder(in: folder)
            let worktree = scratch.url.appendingPathComponent("checkout", isDirectory: true)
            defer {
                checkout.removeWorktree(worktree)
                scratch.remove()
            }
            try checkout.addWorktree(worktree, at: commit.hash)
            let place = worktree.appendingPathComponent(checkout.prefix, isDirectory: true)
            try build(in: place, log: scratch.url.appendingPathComponent("log"), interruption)
            try keep(commit, worktree.appendingPathComponent(checkout.prefix + path), scratch.url)
        }
        return program(commit)
    }

    private func place(_ commit: Commit) -> URL {
        folder.appendingPathComponent("\(commit.hash)-\(key)", isDirectory: true)
    }

    private func program(_ commit: Commit) -> String { place(commit).appendingPathComponent("bench").path }

    private func build(in folder: URL, log: URL, _ interruption: Interruption) throws {
        guard OutputFile.isFolder(folder) else { throw Failure(reason: "has no folder \(checkout.prefix)") }
        try Data().write(to: log)
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/bin/sh")
        process.arguments = ["-c", command]
        process.currentDirectoryURL = folder
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = FileHandle(forWritingAtPath: log.path)
        process.standardError = process.standardOutput
        if interruption.isRequested { throw Stopped() }
        try process.run()
        let code = try ExternalProgram.wait(process, interruption)
        guard code != 0 else { return }
        let last = (try? String(contentsOf: log, encoding: .utf8))?.split(separator: "\n").last ?? ""
        let message = last.isEmpty ? "" : ": \(Commit.printable(String(last.prefix(200))))"
        throw Failure(reason: "does not build (exit code \(code)\(message))")
    }

    /// Keeps a program, and the resources and libraries that lie beside it.
    private func keep(_ commit: Commit, _ program: URL, _ scratch: URL) throws {
        let files = FileManager.default
        guard files.isExecutableFile(atPath: program.path), !OutputFile.isFolder(program) else {
            throw Failure(reason: "its build left no program \(path); --bench-path says where it is")
        }
        let part = scratch.appendingPathComponent("kept", isDirectory: true)
        try files.createDirectory(at: part, withIntermediateDirectories: false)
        try files.copyItem(at: program.resolvingSymlinksInPath(), to: part.appendingPathComponent("bench"))
        let folder = program.deletingLastPathComponent().resolvingSymlinksInPath()
        for name in try files.contentsOfDirectory(atPath: folder.path)
        where ["resources", "bundle", "so"].contains((name as NSString).pathExtension) {
            try files.copyItem(at: folder.appendingPathComponent(name), to: part.appendingPathComponent(name))
        }
        try? files.removeItem(at: place(commit))
        try files.moveItem(at: part, to: place(commit))
    }
}
