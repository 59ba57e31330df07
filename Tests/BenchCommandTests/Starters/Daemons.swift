import BenchHarness
import Foundation
import Processes

/// Programs that serve a test, each in the foreground. They end with the object or the process, however that ends.
final class Daemons {
    private let shell = Process()
    private let pipe = Pipe()

    /// Starts the programs, in this order.
    ///
    /// - Parameters:
    ///   - commands: Their command lines, for a shell.
    ///   - log: Where their output goes.
    init(_ commands: [String], log: URL, environment: [String: String] = [:]) throws {
        let starts = commands.map { "\($0) < /dev/null &\nall=\"$all $!\"\n" }.joined()
        shell.executableURL = URL(filePath: "/bin/sh")
        shell.arguments = ["-c", "exec > '\(log.path)' 2>&1\n\(starts)read -r end\nkill -KILL $all"]
        shell.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
        shell.standardInput = pipe
        try shell.run()
    }

    deinit {
        // Programs that were started meanwhile may hold the pipe open.
        try? pipe.fileHandleForWriting.write(contentsOf: Data("end\n".utf8))
        _ = shell.awaitEnd()
    }

    /// Returns the path of a program; nil if it is not installed.
    static func path(of program: String) -> String? {
        ["/usr/sbin", "/usr/bin", "/usr/local/bin", "/bin"].map { "\($0)/\(program)" }
            .first { FileManager.default.isExecutableFile(atPath: $0) }
    }

    /// Whether all of the programs are installed.
    static func areInstalled(_ programs: String...) -> Bool { programs.allSatisfy { path(of: $0) != nil } }

    /// Returns a port of this machine that is free.
    static func freePort() throws -> Int {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        defer { close(descriptor) }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let result = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
                bind(descriptor, pointer, length) == 0 ? getsockname(descriptor, pointer, &length) : -1
            }
        }
        guard result == 0 else { throw POSIXError(.init(rawValue: errno) ?? .EADDRINUSE) }
        return Int(UInt16(bigEndian: address.sin_port))
    }

    /// Waits until a command succeeds, for half a minute at most.
    static func wait(until command: String, environment: [String: String] = [:]) throws {
        let loop = "i=0; until \(command); do [ $((i+=1)) -le 300 ] || exit 1; sleep 0.1; done > /dev/null 2>&1"
        let outcome = try Script.run("/bin/sh", ["-c", loop], environment: environment)
        guard outcome.code == 0 else { throw CocoaError(.executableNotLoadable) }
    }
}
