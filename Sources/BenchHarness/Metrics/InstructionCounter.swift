/// Counts the instructions of all threads of the process between two moments.
package protocol InstructionCounter: Sendable {
    /// Starts to count, right before the clock starts.
    func start()
    /// Stops counting, right after the clock has stopped, and returns the count; nil if it is incomplete, or goes to a
    /// record of its own.
    func stop() -> Int?
}
