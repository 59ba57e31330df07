extension Sequence<ComparisonKey> {
    /// The keys by driver, the baseline first: runs shuffle their drivers, a table does not.
    var byDriver: [ComparisonKey] { sorted { $0.driver < $1.driver }.baselineFirst(\.driver) }
}

extension Sequence {
    /// The elements with those of the baseline driver first; the others keep their order.
    func baselineFirst(_ driver: (Element) -> String) -> [Element] {
        filter { driver($0) == SummaryTable.baseline } + filter { driver($0) != SummaryTable.baseline }
    }
}
