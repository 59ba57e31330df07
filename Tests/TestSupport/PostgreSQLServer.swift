import Foundation

/// A PostgreSQL server for the tests of one process: a cluster of its own in a temporary folder, which only listens on
/// a socket in it. It ends with the process, however that ends.
public final class PostgreSQLServer: Sendable {
    /// The folder with the server's socket.
    public let socketFolder: String

    /// The server, started when it is first asked for; nil where PostgreSQL is not installed.
    public static let current: PostgreSQLServer? = {
        guard let programs else { return nil }
        do {
            return try PostgreSQLServer(programs)
        } catch {
            fatalError("PostgreSQL is installed, but its server does not start: \(error)")
        }
    }()

    /// Whether PostgreSQL is installed.
    public static var isInstalled: Bool { programs != nil }

    /// The folder with the programs of the latest version that is installed.
    private static let programs: String? = {
        let versions = (try? FileManager.default.contentsOfDirectory(atPath: "/usr/lib/postgresql")) ?? []
        let folders = versions.sorted { (Int($0) ?? 0) > (Int($1) ?? 0) }.map { "/usr/lib/postgresql/\($0)/bin" }
        let path = ProcessInfo.processInfo.environment["PATH"] ?? ""
        return (folders + path.split(separator: ":").map(String.init)).first {
            FileManager.default.isExecutableFile(atPath: "\($0)/postgres")
                && FileManager.default.isExecutableFile(atPath: "\($0)/initdb")
        }
    }()

    /// A failure to start the server.
    private struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    /// Held open while this process lives: the shell around the server waits for its end.
    private let life = Pipe()

    private init(_ programs: String) throws {
        let process = try ProcessDirectory.current.get().url
        let folder = process.appending(path: "server")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
        let path = folder.path(percentEncoded: false)
        socketFolder = path
        var user = ""
        // The server refuses to run as root.
        if geteuid() == 0, let postgres = getpwnam("postgres") {
            user = "setpriv --reuid=postgres --regid=postgres --clear-groups "
            chmod(process.path(percentEncoded: false), 0o711)
            chown(path, postgres.pointee.pw_uid, postgres.pointee.pw_gid)
        }
        let cluster = "\(path)/data"
        try Self.run(
            "\(user)'\(programs)/initdb' -D '\(cluster)' --auth=trust --no-sync --encoding=UTF8 --locale=C "
                + "--username=postgres")
        let settings = [
            "listen_addresses=", "unix_socket_directories=\(path)", "fsync=off", "full_page_writes=off",
            "synchronous_commit=off", "max_connections=1000", "shared_buffers=64MB", "autovacuum=off",
            "dynamic_shared_memory_type=mmap",
        ].map { "-c '\($0)'" }.joined(separator: " ")
        let server = Process()
        server.executableURL = URL(filePath: "/bin/sh")
        server.arguments = [
            "-c",
            "\(user)'\(programs)/postgres' -D '\(cluster)' \(settings) < /dev/null > '\(path)/log' 2>&1 & "
                + "cat > /dev/null; kill -QUIT $!; wait",
        ]
        server.standardInput = life
        try server.run()
        try Self.run(
            "i=0; while [ $((i+=1)) -le 600 ]; do '\(programs)/pg_isready' -q -h '\(path)' && exit 0; sleep 0.05; done; "
                + "cat '\(path)/log'; exit 1")
    }

    private static func run(_ command: String) throws {
        let (shell, output) = (Process(), Pipe())
        shell.executableURL = URL(filePath: "/bin/sh")
        shell.arguments = ["-c", command]
        (shell.standardOutput, shell.standardError) = (output, output)
        try shell.run()
        let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        shell.waitUntilExit()
        if shell.terminationStatus != 0 { throw Failure(description: text) }
    }

    /// The URL of a database of the server; with a schema, of the tables in it.
    public func url(database: String = "postgres", schema: String? = nil) -> URL {
        var parts = URLComponents()
        (parts.scheme, parts.host, parts.path) = ("postgresql", "", "/\(database)")
        parts.queryItems = [
            URLQueryItem(name: "host", value: socketFolder), URLQueryItem(name: "user", value: "postgres"),
        ]
        if let schema { parts.queryItems?.append(URLQueryItem(name: "options", value: "-csearch_path=\(schema)")) }
        parts.percentEncodedQuery = parts.percentEncodedQuery?.replacing("-csearch_path=", with: "-csearch_path%3D")
        return parts.url ?? URL(filePath: "/")
    }
}
