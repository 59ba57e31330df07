import Foundation
import Locking

/// The memory of a page's rows.
///
/// Large blocks come from the kernel itself and go back there soon. The allocator would keep them for the thread that
/// had them, and an asynchronous fetch of a million rows would leave as much memory behind as it returns.
enum PageMemory {
    /// Blocks from this size on are the kernel's.
    static let largeSize = 128 << 10
    private static let kernelPageSize = Int(sysconf(Int32(_SC_PAGESIZE)))
    private static let spare = SpareBlocks()

    /// The largest size up to `byteCount` that wastes no part of a kernel page.
    static func fitting(_ byteCount: Int) -> Int {
        byteCount < largeSize ? byteCount : byteCount / kernelPageSize * kernelPageSize
    }

    /// Memory whose content is undefined, aligned to 16 bytes.
    static func allocate(_ byteCount: Int) -> UnsafeMutableRawPointer {
        if byteCount < largeSize { return .allocate(byteCount: byteCount, alignment: 16) }
        return spare.take(byteCount) ?? mapped(byteCount)
    }

    /// Gives back what ``allocate(_:)`` returned for as many bytes.
    static func deallocate(_ memory: UnsafeMutableRawPointer, _ byteCount: Int) {
        if byteCount < largeSize { return memory.deallocate() }
        spare.add(SpareBlocks.Block(start: memory, byteCount: byteCount))
    }

    private static func mapped(_ byteCount: Int) -> UnsafeMutableRawPointer {
        let memory = mmap(nil, byteCount, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANON, -1, 0)
        guard let memory, memory != MAP_FAILED else {
            fatalError("there is no memory for \(byteCount) bytes of rows: \(String(cString: strerror(errno)))")
        }
        return memory
    }
}

/// Blocks that are not in use: for the next page, or to be given back to the kernel together.
///
/// Giving memory back interrupts every processor that the process runs on. Block by block, that took a tenth of the
/// time of a save of a million changed objects.
final class SpareBlocks: Sendable {
    struct Block: Sendable {
        // Unsafe: the memory belongs to the holder of the block, and nothing in it is read before it is written.
        nonisolated(unsafe) var start: UnsafeMutableRawPointer
        var byteCount: Int
    }

    private struct State {
        var blocks: [Block] = []
        var byteCount = 0
    }

    private let state = Locked(State())
    static let byteLimit = 2 << 20

    /// A block of just this size.
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

    /// The blocks with neighbours as one.
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
