extension ResultRow {
    /// Creates a row of drawn figures, which nobody measured, by their columns, with what makes comparisons judge them.
    package init(_ key: ComparisonKey, run: String, _ repetition: Int, drawn figures: [String: Double]) {
        let whole = { (name: String) in figures[name].map(Int.init(flooring:)) }
        let (throughput, latency) = (figures["throughput"], whole("latency_p50"))
        self.init(
            identity: Identity(
                run: run, scenario: key.scenario, driver: key.driver, phase: key.phase,
                kind: throughput == nil && latency == nil ? "" : LoadWork.mixedKind.name, mode: key.mode,
                repetition: repetition),
            outcome: Outcome(verified: true),
            work: Work(
                operations: throughput.map { _ in repetition }, durationNanoseconds: whole("duration"),
                throughput: throughput, latencyP50: latency),
            usage: Usage(cpu: whole("cpu"), residentPeakBytes: whole("rss_peak")),
            load: Load(ratePerSecond: latency.map { _ in 1 }))
    }
}
