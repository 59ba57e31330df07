extension JSONCursor {
    /// Reads percentages by the name of the metric.
    func thresholds() -> [String: Double] {
        let object = object(.thresholds)
        var thresholds: [String: Double] = [:]
        for name in ObjectShape.thresholds.keys {
            thresholds[name] = object[name]?.number()
        }
        return thresholds
    }
}
