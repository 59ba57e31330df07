import Foundation

/// Ranks from 0 upward, where rank `i` has a probability proportional to `1 / (i + 1)^theta`.
///
/// The method is that of Gray et al., "Quickly generating billion-record synthetic databases" (SIGMOD 1994), as in
/// YCSB's `ZipfianGenerator`: one power per draw, and no table.
struct Zipfian: Sendable {
    /// YCSB's skew.
    static let standardTheta = 0.99

    private(set) var items: Int
    private let theta: Double
    /// The sum of `1 / i^theta` for `i` from 1 to `items`.
    private(set) var zeta: Double
    private var eta = 0.0

    /// - Complexity: O(`items`).
    init(items: Int, theta: Double = standardTheta) {
        precondition(items > 0 && theta > 0 && theta < 1, "\(items) items, skew \(theta)")
        self.init(items: items, theta: theta, zeta: Self.sum(1...items, theta))
    }

    /// Creates a distribution from a known sum, which takes too long to compute for ten thousand million items.
    init(items: Int, theta: Double, zeta: Double) {
        (self.items, self.theta, self.zeta) = (items, theta, zeta)
        setEta()
    }

    /// Adds items; the cost is linear in the number of new items.
    mutating func grow(to count: Int) {
        guard count > items else { return }
        zeta += Self.sum((items + 1)...count, theta)
        items = count
        setEta()
    }

    /// Returns a rank below `items`.
    func next(using random: inout SplitMix64) -> Int {
        let uniform = random.unit()
        let scaled = uniform * zeta
        if scaled < 1 { return 0 }
        if scaled < 1 + pow(0.5, theta) { return min(1, items - 1) }
        let rank = Double(items) * pow(eta * uniform - eta + 1, 1 / (1 - theta))
        return min(Int(rank), items - 1)
    }

    private mutating func setEta() {
        let two = Self.sum(1...2, theta)
        eta = (1 - pow(2 / Double(items), 1 - theta)) / (1 - two / zeta)
    }

    private static func sum(_ ranks: ClosedRange<Int>, _ theta: Double) -> Double {
        ranks.reduce(0) { $0 + pow(Double($1), -theta) }
    }
}

/// A ``Zipfian`` whose popular items are scattered over all records, as in YCSB's `ScrambledZipfianGenerator`: for
/// any number of records, it draws a rank among ten thousand million and hashes it.
struct ScrambledZipfian: Sendable {
    /// YCSB's constants: the number of items, and their sum at its standard skew.
    private static let ranks = Zipfian(
        items: 10_000_000_000, theta: Zipfian.standardTheta, zeta: 26.469_028_201_783_02)

    let items: Int

    func next(using random: inout SplitMix64) -> Int {
        Self.hash(Self.ranks.next(using: &random)) % items
    }

    /// FNV-1a over the eight bytes of a number, the lowest first, made positive: YCSB's `fnvhash64`.
    static func hash(_ value: Int) -> Int {
        var rest = UInt64(bitPattern: Int64(value))
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325
        for _ in 0..<8 {
            hash = (hash ^ (rest & 0xFF)) &* 0x100_0000_01B3
            rest >>= 8
        }
        return Int(Int64(bitPattern: hash).magnitude & UInt64(Int.max))
    }
}

extension SplitMix64 {
    /// Returns a number from 0 up to, but not including, 1.
    mutating func unit() -> Double { Double(next() >> 11) * 0x1p-53 }

    /// Returns a number from 0 up to, but not including, `bound`.
    package mutating func below(_ bound: Int) -> Int { Int(next() % UInt64(bound)) }
}
