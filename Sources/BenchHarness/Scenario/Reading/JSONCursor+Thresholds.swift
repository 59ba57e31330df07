extension JSONCursor {
    /// Percentages by the name of the metric.
    func thresholds() throws(ScenarioError) -> [String: Double] {
        let object = try object(.thresholds)
        var thresholds: [String: Double] = [:]
        for name in ObjectShape.thresholds.keys {
            if let value = object[name] { thresholds[name] = try value.number(in: ScenarioLimits.thresholdPercent) }
        }
        return thresholds
    }
}
