import Foundation

/// Judges service levels.
///
/// An operation that failed or was dropped gave its user no answer, so it counts as slower than every limit.
struct LoadLimits {
    let limits: [String: LimitSpec]

    /// The key that applies to all kinds of operations together.
    static let all = "all"

    /// Returns the limits that `figures` miss, in words; empty if none.
    ///
    /// A limit on a kind without operations counts as missed: nothing shows that the store would meet it.
    func missed(by figures: LoadFigures) -> [String] {
        limits.sorted { $0.key < $1.key }.flatMap { name, limit in
            missed(limit, name, figures)
        }
    }

    /// Whether a running load has already missed a limit for good. Operations of a kind, and throughput, may still
    /// come.
    func areLost(with figures: LoadFigures) -> Bool {
        let begun = limits.filter { figures.kind(ofLimit: $0.key) != nil }.mapValues { limit in
            var limit = limit
            limit.throughputPerSecond = nil
            return limit
        }
        return !LoadLimits(limits: begun).missed(by: figures).isEmpty
    }

    private func missed(_ limit: LimitSpec, _ name: String, _ figures: LoadFigures) -> [String] {
        guard let kind = figures.kind(ofLimit: name) else { return ["\(name): there was no operation"] }
        var missed = limit.milliseconds.sorted { $0.key < $1.key }.compactMap { key, most in
            missedTime(key, most, kind).map { "\(name).\(key) \($0)" }
        }
        if let most = limit.errors, kind.errors > most {
            missed.append("\(name).errors is \(kind.errors), more than \(most)")
        }
        if let most = limit.dropped, kind.dropped > most {
            missed.append("\(name).dropped is \(kind.dropped), more than \(most)")
        }
        if let least = limit.throughputPerSecond, figures.seconds > 0 {
            let reached = Double(kind.response.count) / figures.seconds
            if reached < least {
                missed.append("\(name).throughput_per_s is \(reached.brief), less than \(least.asWritten)")
            }
        }
        return missed
    }

    private func missedTime(_ key: String, _ most: Double, _ kind: OperationFigures) -> String? {
        guard let percent = LimitSpec.percentiles[key] else { return nil }
        guard let nanoseconds = kind.responsePercentile(percent) else {
            return "is unbounded: of \(kind.due) operations, \(kind.errors) failed and \(kind.dropped) were dropped"
        }
        let reached = Double(nanoseconds) / 1e6
        return reached > most ? "is \(reached.brief), more than \(most.asWritten)" : nil
    }
}

extension LoadFigures {
    /// Returns the operations that a limit applies to; nil if there are none.
    fileprivate func kind(ofLimit name: String) -> OperationFigures? {
        let figures = name == LoadLimits.all ? total : OperationKind(rawValue: name).flatMap { kinds[$0] }
        return figures.flatMap { $0.due > 0 ? $0 : nil }
    }
}

extension Double {
    /// The number with three significant digits, for messages.
    fileprivate var brief: String {
        guard magnitude >= 0.001 || self == 0 else { return "\(self)" }
        let digits = magnitude >= 100 ? 0 : magnitude >= 10 ? 1 : magnitude >= 1 ? 2 : 4
        return String(format: "%.\(digits)f", self)
    }

    /// The number as a person would write it in a scenario: 50, not 50.0.
    fileprivate var asWritten: String { String(format: "%g", self) }
}
