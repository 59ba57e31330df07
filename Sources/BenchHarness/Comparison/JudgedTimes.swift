/// Which times of a phase a comparison judges by default: its CPU time, the figure that shows its speed, or both.
///
/// Runs that lie apart cannot tell a phase that became slower from one that others slowed down. CPU time shows the
/// former better. The speed adds something only if the phase waits, or if several threads share the work: what users
/// see is then not the sum of their CPU times.
package struct JudgedTimes: Sendable {
    let judgesCPU: Bool
    let judgesSpeed: Bool
    /// What shows the speed; nil where nothing does.
    let speed: Metric?
    /// Whether the new side was at other rates than the base, whose repetitions all had the same one.
    let newHasOtherRates: Bool

    /// The metrics of which some are judged.
    static let metrics = Set([Metric.duration, .cpu, .throughput, .latencyP50].map(\.name))

    /// Below this ratio of CPU time to duration, a phase waits.
    private static let waiting = 0.7
    /// A ratio that falls by more than this from base to new shows new waits, or less parallel work.
    private static let fall = 0.1
    /// Above this ratio, several threads work.
    private static let parallel = 1.2
    /// The CPU time of the measurement itself, in nanoseconds: of the samples and of the thread that measures stalls.
    private static let ofMeasurement = 2e6

    package init(_ base: [ComparisonSide.Evidence], _ new: [ComparisonSide.Evidence]) {
        let isConcurrent = (base + new).contains(where: \.isConcurrent)
        let shares = [base, new].map(Self.busyShare)
        let common = Self.speed(of: base + new)
        speed = common ?? Self.speed(of: base)
        newHasOtherRates = common == nil && speed != nil
        guard !isConcurrent, let own = shares[0], let other = shares[1] else {
            // What the base is judged by must not vanish.
            let isLost = shares[0] != nil && new.contains { $0.values[Metric.cpu.index] == nil }
            (judgesCPU, judgesSpeed) = (!isConcurrent && isLost, true)
            return
        }
        judgesCPU = true
        judgesSpeed = Self.waits(base: own, new: other) || max(own, other) > Self.parallel
    }

    /// Returns the figure that shows how fast repetitions were; nil if they were at different rates, as those of a
    /// search for the highest one.
    ///
    /// A load of a given length takes as long however slow the store is, and one at a given rate does as much while the
    /// store keeps up.
    static func speed(of rows: [ComparisonSide.Evidence]) -> Metric? {
        let rates = Set(rows.compactMap(\.rate))
        if !rates.isEmpty { return rates.count == 1 ? .latencyP50 : nil }
        let isTimed = rows.contains(where: \.isConcurrent) && Set(rows.compactMap(\.operations)).count > 1
        return isTimed ? .throughput : .duration
    }

    /// Returns the same for rows of a result.
    package static func speed(of rows: [ResultRow]) -> Metric? {
        speed(of: rows.map { ComparisonSide.Evidence($0, run: 0) })
    }

    /// Whether a phase waits on either side, or waits more than before, by the ratios of CPU time to duration.
    static func waits(base: Double, new: Double) -> Bool { min(base, new) < waiting || new < base - fall }

    package func judges(_ metric: Metric) -> Bool {
        if metric.name == speed?.name { return judgesSpeed }
        if metric.name == Metric.cpu.name { return judgesCPU }
        return metric.isJudgedByDefault && metric.name != Metric.duration.name
    }

    /// Returns the median ratio of CPU time to duration, which is more than 1 if several threads work; nil if a
    /// repetition has no CPU time that means something.
    private static func busyShare(_ side: [ComparisonSide.Evidence]) -> Double? {
        var shares: [Double] = []
        for row in side {
            guard let cpu = row.values[Metric.cpu.index] else { return nil }
            // Without a duration, nothing shows that the phase waits.
            guard let duration = row.values[Metric.duration.index], duration > 0 else { continue }
            let isMeasurement = cpu > duration && cpu - duration < ofMeasurement
            // Of a short phase, the CPU time is mostly that of measuring it.
            if isMeasurement, cpu > parallel * duration { return nil }
            shares.append(isMeasurement ? 1 : cpu / duration)
        }
        return side.isEmpty ? nil : SampleSummary(shares)?.median ?? 1
    }
}
