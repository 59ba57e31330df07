import Foundation

/// Whether the system leaves a process that measures room for threads, address space and files.
///
/// Without it, such a process does not fail, but waits: Dispatch tries again and again to start a thread that the
/// system refuses. And Foundation stops a program that cannot have a pipe. So limits that are too low are found before.
package enum ProcessRoom {
    /// More than Dispatch, the heartbeat and a driver start; the workers of a load say themselves if one is refused.
    private static let threads = 16
    /// More than the harness and a driver open at once.
    private static let files = 32
    /// The stacks of those threads, and what their allocations reserve.
    private static let addressBytes = 1 << 29

    /// Checks the room of this process.
    ///
    /// - Throws: A ``RunError`` that names the limit.
    package static func check() throws(RunError) {
        try checkFiles()
        try checkAddressSpace()
        try checkThreads()
    }

    private static func checkFiles() throws(RunError) {
        var opened: [Int32] = []
        defer { for descriptor in opened { close(descriptor) } }
        for _ in 0..<files {
            let descriptor = open("/dev/null", O_RDONLY | O_CLOEXEC)
            guard descriptor >= 0 else {
                throw RunError(
                    .process,
                    "cannot open \(files) more files: \(String(cString: strerror(errno))); raise the limit (ulimit -n)")
            }
            opened.append(descriptor)
        }
    }

    private static func checkAddressSpace() throws(RunError) {
        let room = mmap(nil, addressBytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0)
        guard let room, room != MAP_FAILED else {
            throw RunError(
                .process,
                "cannot have \(Figure.size(Double(addressBytes))) more of address space; raise the limit (ulimit -v)")
        }
        munmap(room, addressBytes)
    }

    private static func checkThreads() throws(RunError) {
        let (gate, ended) = (DispatchSemaphore(value: 0), DispatchGroup())
        var started = 0
        defer {
            for _ in 0..<started { gate.signal() }
            ended.wait()
        }
        while started < threads {
            ended.enter()
            do throws(RunError) {
                try OwnThread.start(stackBytes: 1 << 18) {
                    gate.wait()
                    ended.leave()
                }
            } catch {
                ended.leave()
                throw error
            }
            started += 1
        }
    }
}
