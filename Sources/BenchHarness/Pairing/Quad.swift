import Foundation

/// Which of two sides.
public enum Side: String, Sendable, Codable, CaseIterable {
    /// The one to start from.
    case base
    /// The one to judge.
    case new

    var other: Side { self == .base ? .new : .base }
}

/// One observation of a phase: a turn of each side, and once more in the other order. The second of two turns finds a
/// cold cache, and each side is second once.
///
/// Both turns of a pair take place one after the other, or at once on a core that both share. In the latter case the
/// system switches between them every few milliseconds, so that a core that changes its speed does so for both, and
/// their CPU times differ by less. Their times by the clock say nothing then.
struct Quad: Sendable, Equatable {
    /// The side that began the first pair; the other began the second.
    let first: Side
    /// Two turns of each side, in their order; one of long commands.
    let base: [Turn]
    let new: [Turn]
    /// Whether the turns of a pair took place at once.
    var isAtOnce = false

    func turns(of side: Side) -> [Turn] { side == .base ? base : new }

    /// The logarithms of new over base for both pairs; none where a figure is not above 0.
    func logRatios(_ figure: (Turn) -> Double) -> [Double] {
        let ratios = zip(base, new).map { log(figure($1) / figure($0)) }
        return ratios.allSatisfy(\.isFinite) ? ratios : []
    }
}
