/// The value of `records`: one number, or several in ascending order.
struct RecordSizes {
    /// The smallest number, with which each phase must be possible.
    let first: Int
    let last: Int
    /// The numbers; nil if there is only one.
    let list: [Int]?
}

extension JSONCursor {
    /// Reads a number of records, or a list of numbers at which every phase runs.
    func sizes() -> RecordSizes? {
        guard case .array = node.value else {
            return integer(in: ScenarioLimits.records).map { RecordSizes(first: $0, last: $0, list: nil) }
        }
        var sizes: [Int] = []
        for element in unswept.array(count: ScenarioLimits.sizes, of: "numbers of records") {
            guard let size = element.integer(in: ScenarioLimits.records) else { continue }
            if let last = sizes.last, size <= last {
                element.refuse("\(size) after \(last)", expected: "a larger number than the one before it")
            }
            sizes.append(size)
        }
        guard let first = sizes.first, let last = sizes.last else { return nil }
        return RecordSizes(first: first, last: last, list: sizes)
    }

    /// Reads the limits on the growth of figures over this many sizes.
    func growth(sizes: Int) -> GrowthSpec? {
        let object = object(.growth)
        if sizes < PowerLaw.leastSizes {
            refuse(
                "a limit on growth over \(sizes == 1 ? "one number" : "\(sizes) numbers") of records",
                expected: "\"records\" to be a list of at least \(PowerLaw.leastSizes)")
        }
        return object["max_exponent"]?.number().map(GrowthSpec.init)
    }
}
