import Foundation

/// The memory of a page's rows.
///
/// Large blocks come directly from the kernel and return to it soon. The allocator would keep them for the thread that
/// used them, and an asynchronous fetch of a million rows would leave as much memory unused as its result takes.
enum PageMemory {
    /// Blocks of at least this size come from the kernel.
    static let largeSize = 128 << 10
    private static let regions = MemoryRegions()

    /// Returns the largest size up to `byteCount` that fills whole kernel pages.
    static func fitting(_ byteCount: Int) -> Int {
        byteCount < largeSize ? byteCount : byteCount / MemoryRegions.kernelPageSize * MemoryRegions.kernelPageSize
    }

    /// Returns memory with undefined content, aligned to 16 bytes.
    static func allocate(_ byteCount: Int) -> UnsafeMutableRawPointer {
        byteCount < largeSize ? .allocate(byteCount: byteCount, alignment: 16) : regions.take(byteCount)
    }

    /// Frees memory of ``allocate(_:)`` with the same size.
    static func deallocate(_ memory: UnsafeMutableRawPointer, _ byteCount: Int) {
        if byteCount < largeSize { memory.deallocate() } else { regions.give(memory, byteCount) }
    }
}
