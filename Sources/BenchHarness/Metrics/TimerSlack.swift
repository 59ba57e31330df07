#if os(Linux)
    import CSystem
#endif

/// How long the kernel may delay the end of a thread's sleep, to join it with other wake-ups.
///
/// In an open loop the delay would be a part of every response time. A thread could also poll the clock for the last
/// stretch, and so begin on time. But its CPU time would count as the store's, and with more workers than cores it
/// would take the core from the store.
package enum TimerSlack: Equatable {
    /// The system's own: 50 µs on Linux.
    case standard
    /// The smallest that the system has: 1 ns on Linux.
    case minimal

    /// Sets the slack of the current thread, and of threads that it starts later. No effect on systems without it.
    package func apply() {
        #if os(Linux)
            _ = csystem_set_timer_slack(self == .minimal ? 1 : 0)
        #endif
    }
}
