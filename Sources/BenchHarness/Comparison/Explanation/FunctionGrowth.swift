/// A function that takes more instructions in one build than in another.
package struct FunctionGrowth: Sendable, Equatable, Encodable {
    /// The name in the source.
    package let function: String
    /// The instructions in the function, with those of what it uses outside of the program's own modules, on the side
    /// to start from.
    let base: Int
    /// The same on the side to judge.
    let new: Int

    package var growth: Int { new - base }

    private static let most = 5
    /// A function with less of the phase's growth than this is not worth a line.
    private static let smallestShare = 0.02

    /// Returns the functions that grew most between two profiles, the largest growth first.
    ///
    /// Functions with one name in the source count as one: compilers divide and number them in their own way.
    package static func largest(from base: [String: Int], to new: [String: Int]) -> [FunctionGrowth] {
        let (base, new) = (named(base), named(new))
        let all = Set(base.keys).union(new.keys).map {
            FunctionGrowth(function: $0, base: base[$0] ?? 0, new: new[$0] ?? 0)
        }
        let grown = all.filter { $0.growth > 0 }.sorted { ($1.growth, $0.function) < ($0.growth, $1.function) }
        let least = Double(grown.reduce(0) { $0 + $1.growth }) * smallestShare
        return Array(grown.prefix { Double($0.growth) >= least }.prefix(most))
    }

    private static func named(_ functions: [String: Int]) -> [String: Int] {
        Dictionary(functions.map { (SymbolName(mangled: $0.key).readable, $0.value) }, uniquingKeysWith: +)
    }
}
