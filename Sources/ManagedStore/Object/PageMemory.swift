import Foundation
import Locking

/// The memory of a page's rows.
///
/// Large blocks come directly from the kernel and return to it soon. The allocator would keep them for the thread that
/// used them, and an asynchronous fetch of a million rows would leave as much memory unused as its result takes.
enum PageMemory {
    /// Blocks of at least this size come from the kernel.
    static let largeSize = 128 << 10
    private static let kernelPageSize = Int(sysconf(Int32(_SC_PAGESIZE)))
    private static let spare = SpareBlocks()

    /// Returns the largest size up to `byteCount` that fills whole kernel pages.
    static func fitting(_ byteCount: Int) -> Int {
        byteCount < largeSize ? byteCount : byteCount / kernelPageSize * kernelPageSize
    }

    /// Returns memory with undefined content, aligned to 16 bytes.
    static func allocate(_ byteCount: Int) -> UnsafeMutableRawPointer {
        if byteCount < largeSize { return .allocate(byteCount: byteCount, alignment: 16) }
        return spare.take(byteCount) ?? mapped(byteCount)
    }

    /// Frees memory of ``allocate(_:)`` with the same size.
    static func deallocate(_ memory: UnsafeMutableRawPointer, _ byteCount: Int) {
        if byteCount < largeSize { return memory.deallocate() }
        spare.add(SpareBlocks.Block(start: memory, byteCount: byteCount))
    }

    private static func mapped(_ byteCount: Int) -> UnsafeMutableRawPointer {
        let memory = mmap(nil, byteCount, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANON, -1, 0)
        guard let memory, memory != MAP_FAILED else {
            fatalError("cannot allocate \(byteCount) bytes for rows: \(String(cString: strerror(errno)))")
        }
        return memory
    }
}

/// Unused blocks, kept for the next pages or for a combined return to the kernel.
///
/// Returning memory interrupts every processor that the process runs on. Returning blocks one by one took a tenth of
/// the time of a save of a million changed objects.
final class SpareBlocks: Sendable {
    struct Block: Sendable {
        // Unsafe: the memory belongs to the holder of the block, which writes all bytes before it reads them.
        nonisolated(unsafe) var start: UnsafeMutableRawPointer
        var byteCount: Int
    }

    private struct State {
        var blocks: [Block] = []
        var byteCount = 0
    }

    private let state = Locked(State())
    static let byteLimit = 2 << 20

    /// Returns a block of exactly this size.
    func take(_ byteCount: Int) -> UnsafeMutableRawPointer? {
        let block: Block? = state.withLock { state in
            guard let index = state.blocks.lastIndex(where: { $0.byteCount == byteCount }) else { return nil }
            state.byteCount -= byteCount
            return state.blocks.remove(at: index)
        }
        return block?.start
    }

    func add(_ block: Block) {
        let surplus: [Block] = state.withLock { state in
            state.blocks.append(block)
            state.byteCount += block.byteCount
            guard state.byteCount > Self.byteLimit else { return [] }
            defer { state = State() }
            return state.blocks
        }
        for range in Self.joined(surplus) { munmap(range.start, range.byteCount) }
    }

    /// Joins neighbouring blocks into one.
    private static func joined(_ blocks: [Block]) -> [Block] {
        var ranges: [Block] = []
        for block in blocks.sorted(by: { $0.start < $1.start }) {
            if let last = ranges.last, last.start + last.byteCount == block.start {
                ranges[ranges.count - 1].byteCount += block.byteCount
            } else {
                ranges.append(block)
            }
        }
        return ranges
    }
}
