import Foundation
import Processes

/// The programs of the PostgreSQL that is installed, and an empty cluster that they made.
struct PostgreSQLPrograms: Sendable {
    let folder: String
    /// Put before the command of a server, which refuses to run as root.
    let user: String
    private let owner: (user: uid_t, group: gid_t)?

    /// Those of the latest version; nil where PostgreSQL is not installed.
    static let installed: PostgreSQLPrograms? = {
        let versions = (try? FileManager.default.contentsOfDirectory(atPath: "/usr/lib/postgresql")) ?? []
        let folders = versions.sorted { (Int($0) ?? 0) > (Int($1) ?? 0) }.map { "/usr/lib/postgresql/\($0)/bin" }
        let path = ProcessInfo.processInfo.environment["PATH"] ?? ""
        return (folders + path.split(separator: ":").map(String.init)).first {
            FileManager.default.isExecutableFile(atPath: "\($0)/postgres")
                && FileManager.default.isExecutableFile(atPath: "\($0)/initdb")
        }.map(PostgreSQLPrograms.init)
    }()

    private init(_ folder: String) {
        self.folder = folder
        if geteuid() == 0, let postgres = getpwnam("postgres") {
            user = "setpriv --reuid=postgres --regid=postgres --clear-groups "
            owner = (postgres.pointee.pw_uid, postgres.pointee.pw_gid)
        } else {
            (user, owner) = ("", nil)
        }
    }

    /// Copied for each server, which takes less time than to make another one.
    private static let cluster = Result {
        guard let installed else { throw Failure(description: "PostgreSQL is not installed") }
        let path = try installed.makeFolder("cluster")
        try run(
            "\(installed.user)'\(installed.folder)/initdb' -D '\(path)/data' --auth=trust --no-sync --encoding=UTF8 "
                + "--locale=C --username=postgres")
        return "\(path)/data"
    }

    /// Makes a folder with an empty cluster in its folder `data`; returns its path.
    func makeCluster(_ name: String) throws -> String {
        let (cluster, path) = (try Self.cluster.get(), try makeFolder(name))
        try Self.run("cp -a '\(cluster)' '\(path)/data'")
        return path
    }

    /// Makes a folder that belongs to the user of the server; returns its path.
    private func makeFolder(_ name: String) throws -> String {
        let process = try ProcessDirectory.current.get().url
        let folder = process.appending(path: name)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
        let path = folder.path(percentEncoded: false)
        if let owner {
            chmod(process.path(percentEncoded: false), 0o711)
            chown(path, owner.user, owner.group)
        }
        return path
    }

    /// A failure to make or to start a server.
    private struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    /// Options of a mount for what is to belong to the user of the server.
    var mountOwner: String { owner.map { ",uid=\($0.user),gid=\($0.group)" } ?? "" }

    /// Runs a command of the shell; throws what it wrote if it fails.
    static func run(_ command: String) throws {
        let (shell, output) = (Process(), Pipe())
        shell.executableURL = URL(filePath: "/bin/sh")
        shell.arguments = ["-c", command]
        (shell.standardOutput, shell.standardError) = (output, output)
        try shell.run()
        let text = output.readText()
        if shell.awaitEnd() != 0 { throw Failure(description: text) }
    }
}
