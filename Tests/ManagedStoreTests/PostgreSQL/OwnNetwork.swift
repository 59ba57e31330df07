import Foundation
import TestSupport

/// A network with nothing but a loopback interface, which only some threads of the process see.
enum OwnNetwork {
    /// Whether the process may make one, and has a server to reach.
    static let canBeMade =
        PostgreSQLServer.isInstalled && geteuid() == 0
        && (try? run("unshare", "--net", "ip", "link", "set", "lo", "up")) != nil

    /// `CLONE_NEWNET` of Linux, which Glibc's module leaves out, as it does the function.
    private static let newNetwork: CInt = 0x4000_0000

    /// Moves the thread, and those that it starts, to a new network.
    static func enter() throws {
        typealias Unshare = @convention(c) (CInt) -> CInt
        guard let symbol = dlsym(nil, "unshare") else { throw POSIXError(.ENOSYS) }
        guard unsafeBitCast(symbol, to: Unshare.self)(newNetwork) == 0 else { throw POSIXError(.EPERM) }
        try set(isUp: true)
    }

    /// Starts or stops the interface of the thread's network. Without it, the network delivers nothing.
    static func set(isUp: Bool) throws { try run("ip", "link", "set", "lo", isUp ? "up" : "down") }

    /// Runs a program and waits for it. Foundation's `Process` would wait on a thread of its own, which an exit test
    /// may lack.
    private static func run(_ arguments: String...) throws {
        let words = arguments.map { strdup($0) }
        defer { words.forEach { free($0) } }
        var (child, status) = (pid_t(), CInt())
        guard posix_spawnp(&child, arguments[0], nil, nil, words + [nil], nil) == 0,
            waitpid(child, &status, 0) == child, status == 0
        else { throw CocoaError(.executableRuntimeMismatch) }
    }
}
