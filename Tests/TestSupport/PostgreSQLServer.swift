import Foundation
import Locking
import Processes

/// A PostgreSQL server: a cluster of its own in a temporary folder, which only listens on a socket in it. It ends with
/// the object or the process, however that ends.
public final class PostgreSQLServer: Sendable {
    /// How a server is ended.
    public enum Ending: String, Sendable, CaseIterable {
        /// Ends the sessions, and writes everything back.
        case fast = "INT"
        /// Ends the sessions at once; the next start recovers from the log.
        case immediate = "QUIT"
        /// Kills all processes of the server.
        case kill = "KILL"
    }

    /// A shell that waits for the end of the pipe, or a signal's name in it, and ends the server then.
    private struct Life {
        let shell = Process()
        let pipe = Pipe()
    }

    /// The folder with the server's socket.
    public let socketFolder: String
    /// The folder of a disk of its own, if the server has one.
    public var diskFolder: String { "\(socketFolder)/disk" }
    private let programs: PostgreSQLPrograms
    private let command: String
    private let life = Locked(Life?.none)
    private static let count = Locked(0)

    /// The server of the process, started when it is first asked for; nil where PostgreSQL is not installed. It may
    /// lose data, for the sake of speed.
    public static let current: PostgreSQLServer? = {
        guard isInstalled else { return nil }
        do {
            return try PostgreSQLServer(settings: [
                "full_page_writes=off", "synchronous_commit=off", "max_connections=1000",
            ])
        } catch {
            fatalError("PostgreSQL is installed, but its server does not start: \(error)")
        }
    }()

    /// Whether PostgreSQL is installed.
    public static var isInstalled: Bool { PostgreSQLPrograms.installed != nil }

    /// Whether a server can have a disk of its own, which takes the right to mount one.
    public static let canHaveDisk: Bool = {
        let mount = "unshare --mount mount -t tmpfs -o size=1m tmpfs /mnt"
        return isInstalled && geteuid() == 0 && (try? PostgreSQLPrograms.run(mount)) != nil
    }()

    /// Starts a server. What it answered outlives its processes, unless the settings say otherwise, but not a loss of
    /// power.
    ///
    /// - Parameters:
    ///   - settings: Such as `max_connections=5`.
    ///   - access: The lines of `pg_hba.conf`, if passwords are to be asked for.
    ///   - diskMegabytes: The size of a disk for tablespaces, which only the server sees, and which ends with it.
    public init(settings: [String] = [], access: [String]? = nil, diskMegabytes: Int? = nil) throws {
        guard let programs = PostgreSQLPrograms.installed else { throw CocoaError(.executableNotLoadable) }
        let number = Self.count.withLock { count in
            count += 1
            return count
        }
        let path = try programs.makeCluster("server\(number)")
        (self.programs, socketFolder) = (programs, path)
        let all =
            [
                "listen_addresses=", "unix_socket_directories=\(path)", "shared_buffers=64MB", "autovacuum=off",
                "dynamic_shared_memory_type=mmap", "fsync=off",
            ] + settings
        let words = all.map { "-c '\($0)'" }.joined(separator: " ")
        let server = "\(programs.user)'\(programs.folder)/postgres' -D '\(path)/data' \(words)"
        if let diskMegabytes {
            try FileManager.default.createDirectory(atPath: "\(path)/disk", withIntermediateDirectories: false)
            let mount = "mount -t tmpfs -o size=\(diskMegabytes)m,mode=0777\(programs.mountOwner) tmpfs '\(path)/disk'"
            command = "unshare --mount sh -c \"\(mount) && exec \(server)\""
        } else {
            command = server
        }
        if let access {
            try access.joined(separator: "\n").appending("\n")
                .write(toFile: "\(path)/data/pg_hba.conf", atomically: false, encoding: .utf8)
        }
        try start()
    }

    deinit {
        try? stop(.immediate)
        try? FileManager.default.removeItem(atPath: socketFolder)
    }

    /// Waits for a word and the end of the pipe, and then ends the server: by SIGQUIT if the process that was to send
    /// the word has ended. The server is stopped before it is killed with its children, so that it cannot start others.
    ///
    /// A thread of Dispatch blocks the signal by which the shell hears of the end of the server; the shell lets the
    /// signal pass when it has run another program, such as `cat`.
    private static let end = """
        read -r signal
        cat > /dev/null
        case $signal in
        KILL)
            kill -STOP $!
            children=
            for stat in /proc/[0-9]*/stat; do
                read -r pid name state parent rest < "$stat" && [ "$parent" = $! ] && children="$children $pid"
            done 2> /dev/null
            kill -KILL $children $!
            for pid in $children; do
                while read -r pid name state rest < "/proc/$pid/stat" && [ "$state" != Z ]; do sleep 0.01; done
            done 2> /dev/null ;;
        *) kill -s "${signal:-QUIT}" $! ;;
        esac
        wait
        """

    /// Starts the server, on the data that it had. It must have been stopped.
    public func start() throws {
        let new = Life()
        new.shell.executableURL = URL(filePath: "/bin/sh")
        new.shell.arguments = ["-c", "\(command) < /dev/null >> '\(socketFolder)/log' 2>&1 &\n\(Self.end)"]
        new.shell.standardInput = new.pipe
        try new.shell.run()
        life.exchange(new)
        try PostgreSQLPrograms.run(
            "i=0; while [ $((i+=1)) -le 600 ]; do "
                + "'\(programs.folder)/pg_isready' -q -h '\(socketFolder)' && exit 0; sleep 0.05; done; "
                + "cat '\(socketFolder)/log'; exit 1")
    }

    /// Stops the server, and returns when all its processes have ended.
    public func stop(_ ending: Ending) throws {
        guard let last = life.exchange(nil) else { return }
        try last.pipe.fileHandleForWriting.write(contentsOf: Data("\(ending.rawValue)\n".utf8))
        try last.pipe.fileHandleForWriting.close()
        last.shell.awaitEnd()
    }

    /// Stops the server, and starts it again.
    public func restart(_ ending: Ending) throws {
        try stop(ending)
        try start()
    }

    /// The URL of a database of the server; with a schema, of the tables in it.
    ///
    /// - Parameters:
    ///   - options: Further settings of the sessions, such as `statement_timeout=20`.
    ///   - host: The folder of another socket, through which the server is reached.
    public func url(
        database: String = "postgres", schema: String? = nil, user: String = "postgres", options: [String] = [],
        host: String? = nil
    ) -> URL {
        var parts = URLComponents()
        (parts.scheme, parts.host, parts.path) = ("postgresql", "", "/\(database)")
        var items = [
            URLQueryItem(name: "host", value: host ?? socketFolder), URLQueryItem(name: "user", value: user),
        ]
        let settings = (schema.map { ["search_path=\($0)"] } ?? []) + options
        if !settings.isEmpty {
            items.append(URLQueryItem(name: "options", value: settings.map { "-c\($0)" }.joined(separator: " ")))
        }
        // The client library takes a parameter for two if there is a second equals sign.
        parts.percentEncodedQueryItems = items.map { item in
            URLQueryItem(name: item.name, value: item.value?.addingPercentEncoding(withAllowedCharacters: Self.plain))
        }
        return parts.url ?? URL(filePath: "/")
    }

    private static let plain = CharacterSet.alphanumerics.union(CharacterSet(charactersIn: "/-_."))
}
