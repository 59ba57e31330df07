import Foundation
import Locking

/// Memory of large arenas that died, kept for the next ones: to get as much from the kernel takes longer than to fill
/// it. A program that changes large objects in chunks needs an arena for each.
final class SpareArenas: Sendable {
    struct Block: Sendable {
        // Unsafe: the memory, which `malloc` gave, belongs to the holder of the block.
        nonisolated(unsafe) let start: UnsafeMutableRawPointer
        let byteCount: Int
    }

    static let shared = SpareArenas()
    /// The least size of an arena that is kept. The allocator keeps smaller blocks by itself.
    static let least = 1 << 20
    /// The most memory that is kept.
    static let byteLimit = 8 << 20

    /// The latest last.
    private let blocks = Locked<[Block]>([])

    /// Returns the smallest block with room for `byteCount`; nil without one.
    func take(_ byteCount: Int) -> Block? {
        if byteCount < Self.least { return nil }
        return blocks.withLock { blocks in
            let fitting = blocks.indices.filter { blocks[$0].byteCount >= byteCount }
            return fitting.min { blocks[$0].byteCount < blocks[$1].byteCount }.map { blocks.remove(at: $0) }
        }
    }

    /// Keeps a block, or frees it. The oldest blocks make room.
    func add(_ block: Block) {
        guard (Self.least...Self.byteLimit).contains(block.byteCount) else { return free(block.start) }
        let surplus = blocks.withLock { blocks in
            blocks.append(block)
            var (kept, first) = (0, blocks.endIndex)
            while first > 0, kept + blocks[first - 1].byteCount <= Self.byteLimit {
                first -= 1
                kept += blocks[first].byteCount
            }
            defer { blocks.removeFirst(first) }
            return Array(blocks[..<first])
        }
        for block in surplus { free(block.start) }
    }
}
