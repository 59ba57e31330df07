/// What a load came to.
struct LoadFigures: Sendable, Equatable {
    /// By the kind of operation.
    var kinds: [OperationKind: OperationFigures] = [:]
    var pacer = LoadPacer.Figures()
    var monitor = LoadMonitor.Figures()
    var retries = 0
    var conflicts = 0
    var seconds = 0.0
    /// The first reasons for which operations failed.
    var errorReasons: [String] = []
    /// What was wrong with the load itself, such as a worker that could not begin.
    var failures: [String] = []
    /// The limits that were not met, in words.
    var missedLimits: [String] = []

    /// All kinds together.
    var total: OperationFigures {
        kinds.values.reduce(into: OperationFigures()) { $0.merge($1) }
    }
}
