extension Sequence<ComparisonKey> {
    /// The keys by driver, the baseline first: runs shuffle their drivers, a table does not.
    var byDriver: [ComparisonKey] { sorted { $0.driver < $1.driver }.baselineFirst(\.driver) }
}

extension Sequence {
    /// The elements with those of the baseline driver first; the others keep their order.
    package func baselineFirst(_ driver: (Element) -> String) -> [Element] {
        let baseline = SummaryTable.baseline(of: map(driver))
        return filter { driver($0) == baseline } + filter { driver($0) != baseline }
    }
}
