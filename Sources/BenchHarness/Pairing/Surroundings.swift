import Foundation

/// What happened on the machine while launches ran, besides the launches.
struct Surroundings: Sendable, Equatable {
    /// The share of the time in which something waited for a core; nil if the system does not report it.
    var pressure: Double?
    /// The number of cores that other processes used on average; nil if the system does not report it.
    var othersCores: Double?
    /// The share of the time in which a CPU quota kept this container's processes from running; nil without a quota.
    var throttled: Double?

    private static let quietCores = 0.1
    private static let quietThrottling = 0.01

    /// Why a time by the clock means nothing; nil if it means something. Pressure does not show it: the threads of both
    /// sides wait for each other's cores too.
    var disturbance: Disturbance? {
        if let throttled, throttled >= Self.quietThrottling { return Disturbance(kind: .quota, share: throttled) }
        guard let othersCores else { return Disturbance(kind: .noProcessorTimes) }
        return othersCores < Self.quietCores ? nil : Disturbance(kind: .others, share: othersCores)
    }
}

extension Surroundings {
    /// The state of the machine's counters at one time, in nanoseconds.
    struct Sample: Sendable {
        var clock: Int
        /// The time in which something waited for a core.
        var pressure: Int?
        /// The time of all cores at work.
        var busy: Int?
        /// The CPU time of this process, and of the processes of launches that have ended.
        var own: Int
        /// The time for which a CPU quota stopped this container's processes.
        var throttled: Int?

        /// The state now.
        static var now: Sample {
            Sample(
                clock: MonotonicClock().now(), pressure: ProcText.read("/proc/pressure/cpu")?.pressureNanoseconds,
                busy: ProcText.read("/proc/stat")?.busyNanoseconds, own: ProcessorClock().now(),
                throttled: CPUQuota.throttledNanoseconds)
        }
    }

    /// Computes the surroundings between two samples; when the second is taken, the processes of the launches have
    /// ended and are reaped.
    init(from start: Sample, to end: Sample) {
        let time = Double(max(end.clock - start.clock, 1))
        let grown = { (counter: KeyPath<Sample, Int?>) -> Int? in
            guard let before = start[keyPath: counter], let after = end[keyPath: counter] else { return nil }
            return after - before
        }
        pressure = grown(\.pressure).map { Double($0) / time }
        othersCores = grown(\.busy).map { Double(max($0 - (end.own - start.own), 0)) / time }
        throttled = grown(\.throttled).map { Double($0) / time }
    }
}
