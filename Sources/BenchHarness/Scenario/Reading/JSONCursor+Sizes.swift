/// What stands under `records`: one number, or several, ascending.
struct RecordSizes {
    /// What each phase must be possible with.
    let first: Int
    let last: Int
    /// Nil where there is but one number.
    let list: [Int]?
}

extension JSONCursor {
    /// A number of records, or a list of such numbers at which everything is done.
    func sizes() throws(ScenarioError) -> RecordSizes {
        guard case .array = node.value else {
            let records = try integer(in: ScenarioLimits.records)
            return RecordSizes(first: records, last: records, list: nil)
        }
        var sizes: [Int] = []
        for element in try array(count: ScenarioLimits.sizes, of: "numbers of records") {
            let size = try element.integer(in: ScenarioLimits.records)
            if let last = sizes.last, size <= last {
                throw element.error("\(size) after \(last)", expected: "a larger number than the one before it")
            }
            sizes.append(size)
        }
        return RecordSizes(first: sizes[0], last: sizes[sizes.count - 1], list: sizes)
    }

    /// How figures may grow over so many sizes.
    func growth(sizes: Int) throws(ScenarioError) -> GrowthSpec {
        let object = try object(.growth)
        if sizes < PowerLaw.leastSizes {
            throw error(
                "a limit on growth over \(sizes == 1 ? "one number" : "\(sizes) numbers") of records",
                expected: "\"records\" to be a list of at least \(PowerLaw.leastSizes)")
        }
        return GrowthSpec(maxExponent: try object.required("maxExponent").number(in: ScenarioLimits.exponent))
    }
}
