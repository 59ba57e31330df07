/// Counts the instructions of all threads of the process between two moments.
protocol InstructionCounter: Sendable {
    /// Starts to count, right before the clock starts.
    func start()
    /// Stops counting, right after the clock has stopped.
    func stop()
}
