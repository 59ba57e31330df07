import Foundation
import TestSupport
import Testing

@testable import ManagedStore

@Suite struct MemoryRegionsTests {
    private static let size = PageMemory.largeSize
    private let regions = MemoryRegions()

    private struct Block {
        let start: UnsafeMutableRawPointer
        let byteCount: Int
    }

    private func take(_ byteCount: Int = size) -> Block {
        Block(start: regions.take(byteCount), byteCount: byteCount)
    }

    private func give(_ block: Block) { regions.give(block.start, block.byteCount) }

    /// How many bytes of a block are in memory.
    private func residentByteCount(_ block: Block) -> Int {
        var pages = [UInt8](repeating: 0, count: block.byteCount / MemoryRegions.kernelPageSize)
        #expect(mincore(block.start, block.byteCount, &pages) == 0)
        return pages.count { $0 & 1 != 0 } * MemoryRegions.kernelPageSize
    }

    @Test func aSpareBlockIsUsedAgainForAsManyBytes() {
        let (block, other) = (take(), take())
        give(block)
        let (larger, same, next) = (take(Self.size * 2), take(), take())
        #expect(larger.start != block.start)
        #expect(same.start == block.start)
        #expect(next.start != block.start)
        for block in [other, larger, same, next] { give(block) }
    }

    @Test(arguments: [size, size * 3, MemoryRegions.regionSize, MemoryRegions.regionSize * 3 + 5])
    func memoryReturnsWithItsLastBlock(_ byteCount: Int) {
        let blocks = (0..<40).map { _ in take(byteCount) }
        #expect(regions.byteCount >= byteCount * 40)
        for block in blocks { give(block) }
        #expect(regions.byteCount <= MemoryRegions.spareLimit + MemoryRegions.regionSize)
    }

    @Test func unusedBlocksOfARegionInUseLeaveTheMemory() {
        let blocks = (0..<128).map { _ in take() }
        for block in blocks { memset(block.start, 1, block.byteCount) }
        let (kept, unused) = (blocks.indices.filter { $0 % 8 == 0 }, blocks.indices.filter { $0 % 8 != 0 })
        for index in unused { give(blocks[index]) }
        #expect(unused.reduce(0) { $0 + residentByteCount(blocks[$1]) } <= MemoryRegions.spareLimit)
        for index in kept { #expect(residentByteCount(blocks[index]) == Self.size) }
        for index in kept { give(blocks[index]) }
        #expect(regions.byteCount <= MemoryRegions.spareLimit + MemoryRegions.regionSize)
    }

    @Test func blocksInUseNeverOverlap() {
        var random = SeededGenerator(seed: 4)
        var used: [Block] = []
        for round in 0..<4_000 {
            if used.count > 60 || round.isMultiple(of: 2) && !used.isEmpty {
                let block = used.remove(at: Int.random(in: used.indices, using: &random))
                #expect(mark(of: block) == [UInt(bitPattern: block.start), UInt(block.byteCount)])
                give(block)
            } else {
                let new = take(
                    [Self.size, Self.size * 3 / 2, Self.size * 3, Self.size * 20].randomElement(using: &random)!)
                new.start.storeBytes(of: UInt(bitPattern: new.start), as: UInt.self)
                new.start.storeBytes(of: UInt(new.byteCount), toByteOffset: new.byteCount - 8, as: UInt.self)
                used.append(new)
            }
        }
        for block in used { give(block) }
    }

    private func mark(of block: Block) -> [UInt] {
        [block.start.load(as: UInt.self), block.start.load(fromByteOffset: block.byteCount - 8, as: UInt.self)]
    }
}
