import Foundation
import Locking

/// The cached distributions of rank sums without ties, one for each pair of sample sizes: a comparison of a hundred
/// figures needs the same one a hundred times.
enum UntiedRankSums {
    private struct Sizes: Hashable {
        var count: Int
        var total: Int
    }

    private static let known = Locked<[Sizes: PermutationDistribution]>([:])

    /// Returns the distribution of twice the rank sum of `count` values among `total`.
    static func distribution(of count: Int, among total: Int) -> PermutationDistribution {
        known.withLock { known in
            let sizes = Sizes(count: count, total: total)
            if let distribution = known[sizes] { return distribution }
            let distribution = PermutationDistribution(choosing: count, of: (1...total).map { 2 * $0 })
            known[sizes] = distribution
            return distribution
        }
    }
}
