import Dispatch
import Foundation

/// Turns Ctrl-C, Ctrl-\, SIGTERM and the end of the terminal into a call on its own queue, and keeps a file-size limit
/// from killing the process: a failed write is then an error like others.
package final class SignalTrap {
    private let sources: [any DispatchSourceSignal]

    package init(_ onSignal: @escaping @Sendable () -> Void) {
        signal(SIGXFSZ, SIG_IGN)
        signal(SIGPIPE, SIG_IGN)
        let queue = DispatchQueue(label: "bench.signals")
        // Until a source is registered, which happens on another thread, a signal would be lost.
        let registered = DispatchGroup()
        sources = [SIGINT, SIGTERM, SIGHUP, SIGQUIT].compactMap { number in
            // A dispatch source receives only signals that do not end the process first.
            let previous = signal(number, SIG_IGN)
            // `nohup` ignores the end of the terminal for the run, which then continues.
            let isIgnored = unsafeBitCast(previous, to: Int.self) == unsafeBitCast(SIG_IGN, to: Int.self)
            if number == SIGHUP, isIgnored { return nil }
            let source = DispatchSource.makeSignalSource(signal: number, queue: queue)
            source.setEventHandler(handler: onSignal)
            registered.enter()
            source.setRegistrationHandler { registered.leave() }
            source.resume()
            return source
        }
        registered.wait()
    }

    package func end() {
        for source in sources { source.cancel() }
    }
}
