import Foundation
import Locking

/// What else the machine does meanwhile: on every core a thread that goes over a few megabytes of memory.
enum BackgroundLoad: String, CaseIterable {
    case none
    /// Without a pause.
    case steady
    /// 20 ms of work, 20 ms of rest, all cores at once.
    case periodic
    /// Work and rest of 1 to 100 ms each, every core for itself.
    case random

    /// Does `body` under the load.
    func during<Value>(_ body: () throws -> Value) rethrows -> Value {
        guard self != .none else { return try body() }
        let isOver = Locked(false)
        let group = DispatchGroup()
        for core in 0..<ProcessInfo.processInfo.activeProcessorCount {
            group.enter()
            Thread.detachNewThread {
                work(seed: UInt64(core)) { isOver.value }
                group.leave()
            }
        }
        defer {
            isOver.withLock { $0 = true }
            group.wait()
        }
        return try body()
    }

    private func work(seed: UInt64, until isOver: () -> Bool) {
        var memory = [UInt64](repeating: seed, count: 1 << 19)
        var random = SystemRandomNumberGenerator()
        while !isOver() {
            let milliseconds =
                switch self {
                case .none, .steady, .periodic: (work: 20, rest: 20)
                case .random:
                    (work: Int.random(in: 1...100, using: &random), rest: Int.random(in: 1...100, using: &random))
                }
            let end = DispatchTime.now() + .milliseconds(milliseconds.work)
            while DispatchTime.now() < end {
                for index in memory.indices { memory[index] &+= UInt64(index) }
            }
            if self != .steady { usleep(UInt32(milliseconds.rest) * 1_000) }
        }
    }
}
