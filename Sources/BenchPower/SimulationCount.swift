import Locking

/// Counts what is simulated, on all threads.
final class SimulationCount: Sendable {
    private let done = Locked(0)
    private let all: Int
    private let onProgress: @Sendable (Int, Int) -> Void

    /// - Parameter slowdowns: Those in percent that are simulated unless the settings name others.
    init(
        _ settings: PowerSettings, curves: Int, slowdowns: [Double],
        _ onProgress: @escaping @Sendable (Int, Int) -> Void
    ) {
        let sizes = settings.slowdownsPercent(orElse: slowdowns).count
        all = curves * (settings.comparisons + sizes * settings.comparisonsPerSlowdown)
        self.onProgress = onProgress
    }

    func add() {
        let done = done.withLock { done in
            done += 1
            return done
        }
        onProgress(done, all)
    }
}
