import Foundation
import Locking

/// The intended starts of operations in an open loop. They do not depend on the speed of the store, just as users do
/// not wait for one another. All workers take from one schedule, which makes it a queue with several servers.
final class ArrivalSchedule: Sendable {
    private struct State {
        let rate: RateSpec
        var random: SplitMix64
        /// Nanoseconds from the start of the load; the rounding error stays well below 1 ns over days.
        var next = 0.0

        /// Returns the nanoseconds from an arrival at `time` to the next one. In a Poisson process they are
        /// exponentially distributed, as independent users arrive.
        mutating func gap(at time: Double) -> Double {
            let mean = 1e9 / rate.perSecond(at: time / 1e9)
            switch rate.arrivals {
            case .constant: return mean
            case .poisson: return -log(1 - random.unit()) * mean
            }
        }
    }

    private let state: Locked<State>

    /// Creates a schedule; equal seeds give equal schedules.
    ///
    /// - Parameters:
    ///   - rate: The rate of this process.
    ///   - shard: The process among those that share the load. Constant arrivals of one shard lie between those of the
    ///     others, so that together they are constant, too; Poisson processes add up by themselves.
    init(_ rate: RateSpec, seed: UInt64, shard: Shard = .whole) {
        var state = State(rate: rate, random: SplitMix64(state: shard.seed(seed)))
        let gap = state.gap(at: 0)
        switch rate.arrivals {
        case .poisson: state.next = gap
        case .constant: state.next = gap * Double(shard.index) / Double(shard.count)
        }
        self.state = Locked(state)
    }

    /// Takes the next intended start, in nanoseconds from the start of the load.
    func take() -> Int {
        state.withLock { state in
            let arrival = state.next
            state.next += state.gap(at: arrival)
            return Int(arrival)
        }
    }
}

extension RateSpec {
    /// Returns the rate this many seconds after the start: it rises linearly for the length of the ramp.
    func perSecond(at seconds: Double) -> Double {
        guard let ramp, seconds < ramp.seconds else { return perSecond }
        return ramp.fromPerSecond + (perSecond - ramp.fromPerSecond) * seconds / ramp.seconds
    }
}
