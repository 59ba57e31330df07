extension Phase {
    /// The number of threads that run its operations at once.
    package var lanes: Int { work.content.lanes }

    /// Whether threads work at the same time, or by the clock: how they meet differs between two runs of one build.
    package var isConcurrent: Bool { work.content.usesSeveralCores || !work.content.kind.isExact(mode) }

    /// Cuts the work to a number of operations, or fewer if it has fewer.
    ///
    /// - Returns: The number of operations; nil if such work is not divisible, and stays as it was.
    @discardableResult
    package mutating func cut(to operations: Int) -> Int? {
        guard let cut = work.content.cut(to: operations) else { return nil }
        work = Work(cut.work)
        return cut.operations
    }
}
