import Dispatch

/// Watches nothing: a heartbeat would use the CPU itself.
struct NoStalls: StallProbe, StallWatch {
    func watch(_ queue: DispatchQueue) -> any StallWatch { self }
    func end() {}
    func stop() -> QueueStalls { QueueStalls() }
}
