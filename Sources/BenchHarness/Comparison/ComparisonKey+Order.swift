extension Sequence<ComparisonKey> {
    /// By driver, the baseline first: runs shuffle their drivers, a table does not.
    var byDriver: [ComparisonKey] { sorted { $0.driver < $1.driver }.baselineFirst(\.driver) }
}

extension Sequence {
    /// What is of the baseline driver before all else, which stays in its order.
    func baselineFirst(_ driver: (Element) -> String) -> [Element] {
        filter { driver($0) == SummaryTable.baseline } + filter { driver($0) != SummaryTable.baseline }
    }
}
