import Foundation
import Locking

/// When operations are meant to begin in an open loop: however slow the store is, as it is with users who do not wait
/// for one another. All workers take from the same schedule, which is that of one queue with several servers.
final class ArrivalSchedule: Sendable {
    private struct State {
        let rate: RateSpec
        var random: SplitMix64
        /// Nanoseconds from the start of the load, exact to well below one over days.
        var next = 0.0

        /// The nanoseconds to the arrival after one at `time`: in Poisson's process exponentially distributed, which is
        /// what independent users make.
        mutating func gap(at time: Double) -> Double {
            let mean = 1e9 / rate.perSecond(at: time / 1e9)
            switch rate.arrivals {
            case .constant: return mean
            case .poisson: return -log(1 - random.unit()) * mean
            }
        }
    }

    private let state: Locked<State>

    /// Creates a schedule; equal seeds give equal ones.
    init(_ rate: RateSpec, seed: UInt64) {
        var state = State(rate: rate, random: SplitMix64(state: seed))
        if rate.arrivals == .poisson { state.next = state.gap(at: 0) }
        self.state = Locked(state)
    }

    /// The next intended start, in nanoseconds from the start of the load.
    func take() -> Int {
        state.withLock { state in
            let arrival = state.next
            state.next += state.gap(at: arrival)
            return Int(arrival)
        }
    }
}

extension RateSpec {
    /// The rate so many seconds after the start: it climbs in a straight line as long as the ramp lasts.
    func perSecond(at seconds: Double) -> Double {
        guard let ramp, seconds < ramp.seconds else { return perSecond }
        return ramp.fromPerSecond + (perSecond - ramp.fromPerSecond) * seconds / ramp.seconds
    }
}
