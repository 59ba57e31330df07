import CSystem

/// The cores that this process may run on.
enum Cores {
    /// The numbers of the cores that are allowed, ascending; empty where they cannot be asked for.
    static var allowed: [Int] {
        #if os(Linux)
            var mask = [UInt8](repeating: 0, count: bytes)
            let read = mask.withUnsafeMutableBytes { mask in
                sched_getaffinity(0, mask.count, mask.baseAddress)
            }
            guard read >= 0 else { return [] }
            return mask.enumerated().flatMap { index, byte in
                (0..<8).filter { byte & (1 << $0) != 0 }.map { index * 8 + $0 }
            }
        #else
            return []
        #endif
    }

    /// Does `body` with this thread on `core` alone; what it starts meanwhile stays there.
    ///
    /// - Returns: What `body` returns, and whether the thread could be put on the core.
    static func pinned<Value>(to core: Int?, _ body: () throws -> Value) rethrows -> (value: Value, isPinned: Bool) {
        let before = allowed
        guard let core, !before.isEmpty, allow([core]) else { return (try body(), false) }
        defer { _ = allow(before) }
        return (try body(), true)
    }

    #if os(Linux)
        /// Room for 8,192 cores, the most that Linux is built for.
        private static let bytes = 1_024
    #endif

    private static func allow(_ cores: [Int]) -> Bool {
        #if os(Linux)
            var mask = [UInt8](repeating: 0, count: bytes)
            for core in cores where core < bytes * 8 { mask[core / 8] |= 1 << (core % 8) }
            return mask.withUnsafeBytes { mask in
                sched_setaffinity(0, mask.count, mask.baseAddress)
            } == 0
        #else
            return false
        #endif
    }
}
