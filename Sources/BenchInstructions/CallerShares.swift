/// Moves the instructions of functions that a program only uses, such as those of Swift's runtime, to the functions of
/// its own that called them: there, something can be changed.
///
/// A profile has calls only between two functions. So what a function takes moves to its callers in proportion to what
/// their calls of it took, as in Graham, Kessler and McKusick, "gprof: a Call Graph Execution Profiler" (1982).
struct CallerShares<Function: Hashable> {
    struct Call: Hashable {
        let caller: Function
        let callee: Function
    }

    /// The instructions of each function, with those that moved to it. What no function of the program called stays
    /// where it is.
    let costs: [Function: Int]

    /// Calls in a circle move the same instructions again and again, always fewer.
    private static var rounds: Int { 50 }

    /// - Parameters:
    ///   - costs: The instructions in each function itself.
    ///   - calls: What calls took, with everything that they led to.
    ///   - isOwn: Whether a function is one of the program's own.
    init(_ costs: [Function: Int], _ calls: [Call: Int], isOwn: (Function) -> Bool) {
        var callers: [Function: [(caller: Function, share: Double)]] = [:]
        for (call, cost) in calls where cost > 0 && call.caller != call.callee && !isOwn(call.callee) {
            callers[call.callee, default: []].append((call.caller, Double(cost)))
        }
        for (callee, own) in callers {
            let sum = own.reduce(0) { $0 + $1.share }
            callers[callee] = own.map { ($0.caller, $0.share / sum) }
        }
        var amounts = costs.mapValues(Double.init)
        for _ in 0..<Self.rounds {
            let moving = amounts.filter { $0.value >= 0.5 && callers[$0.key] != nil }
            if moving.isEmpty { break }
            for function in moving.keys { amounts[function] = 0 }
            for (function, amount) in moving {
                for (caller, share) in callers[function] ?? [] { amounts[caller, default: 0] += amount * share }
            }
        }
        self.costs = amounts.compactMapValues { $0 < 0.5 ? nil : Int($0.rounded()) }
    }
}
