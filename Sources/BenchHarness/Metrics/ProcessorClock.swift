import Foundation

/// The CPU time that this process has used: the sum of user and system time, to the nanosecond, over all of its
/// threads, Dispatch's among them, and over the children that it has waited for.
package struct ProcessorClock: NanosecondClock {
    package init() {}

    package func now() -> Int {
        var time = timespec()
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
        return Int(time.tv_sec) * 1_000_000_000 + Int(time.tv_nsec) + children
    }

    private var children: Int {
        var usage = rusage()
        #if os(Linux)
            guard getrusage(__rusage_who_t(RUSAGE_CHILDREN.rawValue), &usage) == 0 else { return 0 }
        #else
            guard getrusage(RUSAGE_CHILDREN, &usage) == 0 else { return 0 }
        #endif
        return [usage.ru_utime, usage.ru_stime].reduce(0) {
            $0 + Int($1.tv_sec) * 1_000_000_000 + Int($1.tv_usec) * 1_000
        }
    }
}
