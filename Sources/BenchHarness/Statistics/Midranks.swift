/// The ranks of values, from 1 for the smallest; equal values share the mean of their ranks.
struct Midranks {
    /// Twice the rank of each value, in the order of the values: ties have whole numbers too.
    let doubled: [Int]
    /// The sum of t³ - t over the groups of t equal values, by which ties reduce the variances of rank statistics.
    let tieTerm: Double

    /// Ranks values, none of which may be NaN.
    ///
    /// - Complexity: O(n log n).
    init(_ values: [Double]) {
        let order = values.indices.sorted { values[$0] < values[$1] }
        var doubled = [Int](repeating: 0, count: values.count)
        var tieTerm = 0.0
        var start = 0
        while start < order.count {
            var end = start + 1
            while end < order.count, values[order[end]] == values[order[start]] { end += 1 }
            // The ranks of the group are start + 1 to end.
            for place in start..<end { doubled[order[place]] = start + 1 + end }
            let ties = Double(end - start)
            tieTerm += ties * ties * ties - ties
            start = end
        }
        self.doubled = doubled
        self.tieTerm = tieTerm
    }
}
