import CSystem

/// The cores that this process may run on: those of its container, which need not begin at 0.
struct Cores: Sendable {
    /// Returns the numbers of the cores that the current thread may run on, ascending; none if the system does not
    /// tell.
    let read: @Sendable () -> [Int]
    /// Keeps the current thread on these cores.
    ///
    /// - Returns: Whether the system allowed it; some containers do not.
    let restrict: @Sendable ([Int]) -> Bool

    /// The cores of this machine.
    static let system = Cores(read: { mask() }, restrict: { setMask($0) })

    /// The numbers of the cores that are allowed, ascending; empty where they cannot be asked for.
    var allowed: [Int] { read() }

    /// Does `body` with this thread on `core` alone; what it starts meanwhile stays there.
    ///
    /// - Returns: What `body` returns, and whether the thread could be put on the core.
    func pinned<Value>(to core: Int?, _ body: () throws -> Value) rethrows -> (value: Value, isPinned: Bool) {
        let before = allowed
        guard let core, !before.isEmpty, restrict([core]) else { return (try body(), false) }
        defer { _ = restrict(before) }
        return (try body(), true)
    }
}

extension Cores {
    #if os(Linux)
        /// Room for 8,192 cores, the most that Linux is built for.
        private static let bytes = 1_024

        private static func mask() -> [Int] {
            var mask = [UInt8](repeating: 0, count: bytes)
            let read = mask.withUnsafeMutableBytes { mask in
                sched_getaffinity(0, mask.count, mask.baseAddress)
            }
            guard read >= 0 else { return [] }
            return mask.enumerated().flatMap { index, byte in
                (0..<8).filter { byte & (1 << $0) != 0 }.map { index * 8 + $0 }
            }
        }

        private static func setMask(_ cores: [Int]) -> Bool {
            var mask = [UInt8](repeating: 0, count: bytes)
            for core in cores where core < bytes * 8 { mask[core / 8] |= 1 << (core % 8) }
            return mask.withUnsafeBytes { mask in
                sched_setaffinity(0, mask.count, mask.baseAddress)
            } == 0
        }
    #else
        private static func mask() -> [Int] { [] }
        private static func setMask(_ cores: [Int]) -> Bool { false }
    #endif
}
