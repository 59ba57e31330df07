import Foundation
import TestSupport
import Testing

@testable import ManagedStore

@Suite struct PageMemoryTests {
    private static let size = PageMemory.largeSize

    private func block(_ byteCount: Int = size) -> SpareBlocks.Block {
        SpareBlocks.Block(start: PageMemory.allocate(byteCount), byteCount: byteCount)
    }

    @Test func aSpareBlockIsUsedAgainForAsManyBytes() {
        let spare = SpareBlocks()
        let block = block()
        spare.add(block)
        #expect(spare.take(Self.size * 2) == nil)
        #expect(spare.take(Self.size) == block.start)
        #expect(spare.take(Self.size) == nil)
        PageMemory.deallocate(block.start, block.byteCount)
    }

    @Test func spareBlocksDoNotPileUp() {
        let spare = SpareBlocks()
        for _ in 0...SpareBlocks.byteLimit / Self.size { spare.add(block()) }
        #expect(spare.take(Self.size) == nil)
    }

    @Test func blocksInUseNeverOverlap() {
        var random = SeededGenerator(seed: 4)
        var used: [SpareBlocks.Block] = []
        for round in 0..<4_000 {
            if used.count > 60 || round.isMultiple(of: 2) && !used.isEmpty {
                let block = used.remove(at: Int.random(in: used.indices, using: &random))
                #expect(mark(of: block) == [UInt(bitPattern: block.start), UInt(block.byteCount)])
                PageMemory.deallocate(block.start, block.byteCount)
            } else {
                let new = block(
                    [Self.size / 2, Self.size, Self.size * 3 / 2, Self.size * 3].randomElement(using: &random)!)
                new.start.storeBytes(of: UInt(bitPattern: new.start), as: UInt.self)
                new.start.storeBytes(of: UInt(new.byteCount), toByteOffset: new.byteCount - 8, as: UInt.self)
                used.append(new)
            }
        }
        for block in used { PageMemory.deallocate(block.start, block.byteCount) }
    }

    private func mark(of block: SpareBlocks.Block) -> [UInt] {
        [block.start.load(as: UInt.self), block.start.load(fromByteOffset: block.byteCount - 8, as: UInt.self)]
    }
}
