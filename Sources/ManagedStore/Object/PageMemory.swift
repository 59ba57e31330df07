import Foundation

/// The memory of a page's rows.
///
/// Large blocks come from the kernel itself and go back there at once. The allocator would keep them for the thread that had them,
/// and an asynchronous fetch of a million rows would leave as much memory behind as it returns.
enum PageMemory {
    /// Blocks from this size on are the kernel's.
    static let largeSize = 128 << 10
    private static let kernelPageSize = Int(sysconf(Int32(_SC_PAGESIZE)))

    /// The largest size up to `byteCount` that wastes no part of a kernel page.
    static func fitting(_ byteCount: Int) -> Int {
        byteCount < largeSize ? byteCount : byteCount / kernelPageSize * kernelPageSize
    }

    /// Memory whose content is undefined, aligned to 16 bytes.
    static func allocate(_ byteCount: Int) -> UnsafeMutableRawPointer {
        if byteCount < largeSize { return .allocate(byteCount: byteCount, alignment: 16) }
        let memory = mmap(nil, byteCount, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANON, -1, 0)
        guard let memory, memory != MAP_FAILED else {
            fatalError("there is no memory for \(byteCount) bytes of rows: \(String(cString: strerror(errno)))")
        }
        return memory
    }

    /// Gives back what ``allocate(_:)`` returned for as many bytes.
    static func deallocate(_ memory: UnsafeMutableRawPointer, _ byteCount: Int) {
        if byteCount < largeSize { return memory.deallocate() }
        munmap(memory, byteCount)
    }
}
