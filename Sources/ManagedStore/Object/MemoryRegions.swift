import Foundation
import Locking

/// Blocks of memory, cut from regions that come from the kernel.
///
/// A region is one huge page where the kernel has such: a single fault in place of 512. On a virtual machine, the
/// faults of fresh memory take longer than to fill it with rows.
///
/// Unused blocks are kept for the next ones of their size, or return to the kernel together. Returning memory
/// interrupts every processor that the process runs on. Returning blocks one by one took a tenth of the time of a save
/// of a million changed objects.
final class MemoryRegions: Sendable {
    /// The size and alignment of a region, and of a huge page. Only a region for a larger block is larger.
    static let regionSize = 2 << 20
    /// The bytes in regions from which on the next ones are huge pages: those waste memory if few blocks use them.
    static let hugeFrom = 4 << 20
    /// The most bytes in unused blocks.
    static let spareLimit = 2 << 20
    static let kernelPageSize = Int(sysconf(Int32(_SC_PAGESIZE)))

    private let state = Locked(State())

    /// The bytes of all regions.
    var byteCount: Int { state.withLock { $0.byteCount } }

    /// Returns a block of at least `byteCount` bytes with undefined content.
    func take(_ byteCount: Int) -> UnsafeMutableRawPointer {
        state.withLock { $0.take(Self.whole(byteCount)) }
    }

    /// Takes back a block that ``take(_:)`` returned for as many bytes.
    func give(_ start: UnsafeMutableRawPointer, _ byteCount: Int) {
        let block = Block(start: start, byteCount: Self.whole(byteCount))
        let unused = state.withLock { $0.give(block) }
        for region in unused { munmap(region.start, region.byteCount) }
    }

    /// Rounds up to whole pages of the kernel.
    private static func whole(_ byteCount: Int) -> Int {
        (byteCount + kernelPageSize - 1) / kernelPageSize * kernelPageSize
    }
}

extension MemoryRegions {
    private struct Block: Sendable {
        // Unsafe: the memory belongs to the holder of the block, which writes all bytes before it reads them.
        nonisolated(unsafe) var start: UnsafeMutableRawPointer
        var byteCount: Int

        /// The address of the region that the block is a part of.
        var region: UInt { UInt(bitPattern: start) & ~UInt(MemoryRegions.regionSize - 1) }

        /// Cuts a block off the start; returns nil if this one is too small.
        mutating func cut(_ byteCount: Int) -> Block? {
            if byteCount > self.byteCount { return nil }
            defer { (start, self.byteCount) = (start + byteCount, self.byteCount - byteCount) }
            return Block(start: start, byteCount: byteCount)
        }
    }

    private struct Region {
        let memory: Block
        /// The bytes of its blocks that are in use.
        var used = 0
    }

    private struct State {
        /// The regions by their addresses.
        var regions: [UInt: Region] = [:]
        var byteCount = 0
        /// What no block has used yet of the newest region.
        var rest: Block?
        /// Unused blocks, the latest last.
        var spare: [Block] = []
        var spareByteCount = 0

        mutating func take(_ byteCount: Int) -> UnsafeMutableRawPointer {
            let block = takeSpare(byteCount) ?? rest?.cut(byteCount) ?? cutFromNewRegion(byteCount)
            regions[block.region]?.used += byteCount
            return block.start
        }

        private mutating func takeSpare(_ byteCount: Int) -> Block? {
            guard let index = spare.lastIndex(where: { $0.byteCount == byteCount }) else { return nil }
            spareByteCount -= byteCount
            return spare.remove(at: index)
        }

        private mutating func cutFromNewRegion(_ byteCount: Int) -> Block {
            let isShared = byteCount <= regionSize / 2
            let memory = MemoryRegions.mapped(isShared ? regionSize : byteCount)
            regions[memory.region] = Region(memory: memory)
            self.byteCount += memory.byteCount
            if self.byteCount > hugeFrom { MemoryRegions.makeHuge(memory) }
            var rest = memory
            guard isShared, let block = rest.cut(byteCount) else { return memory }
            self.rest = rest
            return block
        }

        /// Takes a block back; returns the regions that are to return to the kernel.
        mutating func give(_ block: Block) -> [Block] {
            spare.append(block)
            spareByteCount += block.byteCount
            regions[block.region]?.used -= block.byteCount
            if spareByteCount <= spareLimit { return [] }
            let unused = takeUnusedRegions()
            if spareByteCount > spareLimit { clearSpare() }
            return unused
        }

        private mutating func takeUnusedRegions() -> [Block] {
            let unused = Set(spare.map(\.region)).filter { regions[$0]?.used == 0 }
            spare.removeAll { unused.contains($0.region) }
            spareByteCount = spare.reduce(0) { $0 + $1.byteCount }
            if let rest, unused.contains(rest.region) { self.rest = nil }
            return unused.compactMap { address in
                guard let memory = regions.removeValue(forKey: address)?.memory else { return nil }
                byteCount -= memory.byteCount
                return memory
            }
        }

        /// Returns the content of the unused blocks to the kernel. Their addresses return with their regions, of which
        /// other blocks are in use.
        private mutating func clearSpare() {
            for block in spare { madvise(block.start, block.byteCount, MADV_DONTNEED) }
            (spare, spareByteCount) = ([], 0)
        }
    }

    /// Returns memory from the kernel that starts where a huge page may.
    private static func mapped(_ byteCount: Int) -> Block {
        let memory = mmap(nil, byteCount + regionSize, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANON, -1, 0)
        guard let memory, memory != MAP_FAILED else {
            fatalError("cannot allocate \(byteCount) bytes for rows: \(String(cString: strerror(errno)))")
        }
        let before = -Int(bitPattern: memory) & (regionSize - 1)
        if before > 0 { munmap(memory, before) }
        if before < regionSize { munmap(memory + before + byteCount, regionSize - before) }
        return Block(start: memory + before, byteCount: byteCount)
    }

    private static func makeHuge(_ memory: Block) {
        #if os(Linux)
            madvise(memory.start, memory.byteCount, MADV_HUGEPAGE)
        #endif
    }
}
