import Foundation

/// Starts threads, or says why the system refuses one: Foundation's `Thread` would then never run, and what waits for
/// it would wait for ever.
package enum OwnThread {
    private final class Body {
        let run: @Sendable () -> Void

        init(_ run: @escaping @Sendable () -> Void) { self.run = run }
    }

    /// The stack of a thread that runs the code of a driver.
    package static let stackBytes = 8 << 20

    /// Starts a thread that runs `body`.
    ///
    /// - Throws: A ``RunError`` with the code ``RunError/Code-swift.enum/process`` if there can be no further thread.
    package static func start(
        named name: String? = nil, stackBytes: Int = stackBytes, _ body: @escaping @Sendable () -> Void
    ) throws(RunError) {
        var attributes = pthread_attr_t()
        pthread_attr_init(&attributes)
        defer { pthread_attr_destroy(&attributes) }
        pthread_attr_setdetachstate(&attributes, Int32(PTHREAD_CREATE_DETACHED))
        pthread_attr_setstacksize(&attributes, stackBytes)
        let named = Body {
            if let name { Thread.current.name = name }
            body()
        }
        let retained = Unmanaged.passRetained(named)
        #if canImport(Darwin)
            var thread: pthread_t?
            let failure = pthread_create(&thread, &attributes, { Self.enter($0) }, retained.toOpaque())
        #else
            var thread = pthread_t()
            let failure = pthread_create(&thread, &attributes, { Self.enter($0!) }, retained.toOpaque())
        #endif
        guard failure == 0 else {
            retained.release()
            throw RunError(
                .process,
                "cannot start a thread: \(String(cString: strerror(failure))); raise the limits of threads and of memory "
                    + "(ulimit -u, ulimit -v, pids.max of the control group)")
        }
    }

    private static func enter(_ body: UnsafeMutableRawPointer) -> UnsafeMutableRawPointer? {
        Unmanaged<Body>.fromOpaque(body).takeRetainedValue().run()
        return nil
    }
}
