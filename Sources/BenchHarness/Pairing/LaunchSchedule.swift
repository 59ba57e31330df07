/// In which order, and after which pauses, the sides of a launch take turns.
///
/// Everything is drawn by lot: a strict order would keep step with the machine's other work, and the second of two
/// turns finds a cold cache.
struct LaunchSchedule: Sendable, Equatable {
    /// What both sides do without a pause.
    struct Step: Sendable, Equatable {
        /// How long to wait before, in microseconds.
        let pause: UInt32
        /// The side that begins.
        let first: Side
        /// Whether each side does one turn, whose result is looked at, rather than the two of an observation.
        let isInspection: Bool

        /// The sides in their order, pass by pass: the second pass of an observation goes the other way round.
        var passes: [[Side]] {
            let order = [first, first.other]
            return isInspection ? [order] : [order, order.reversed()]
        }
    }

    /// So many observations, and one inspection among them: nothing tells the turns that are looked at from those that
    /// are timed.
    let steps: [Step]

    /// The longest pause, in microseconds.
    static let longestPause: UInt32 = 20_000

    init(quads: Int, using random: inout some RandomNumberGenerator) {
        let inspected = Int.random(in: 0...quads, using: &random)
        steps = (0...quads).map { index in
            Step(
                pause: UInt32.random(in: 0...Self.longestPause, using: &random),
                first: Bool.random(using: &random) ? .base : .new, isInspection: index == inspected)
        }
    }
}
