/// The figures of a load.
struct LoadFigures: Sendable, Equatable {
    /// The figures by kind of operation.
    var kinds: [OperationKind: OperationFigures] = [:]
    var pacer = LoadPacer.Figures()
    var monitor = LoadMonitor.Figures()
    var retries = 0
    var conflicts = 0
    var seconds = 0.0
    /// The first distinct reasons why operations failed.
    var errorReasons: [String] = []
    /// Failures of the load itself, such as a worker that could not start.
    var failures: [String] = []
    /// The missed limits, in words.
    var missedLimits: [String] = []

    /// The sum over all kinds.
    var total: OperationFigures {
        kinds.values.reduce(into: OperationFigures()) { $0.merge($1) }
    }
}
