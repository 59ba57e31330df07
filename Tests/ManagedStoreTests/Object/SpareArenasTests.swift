import Foundation
import TestSupport
import Testing

@testable import ManagedStore

@Suite struct SpareArenasTests {
    private func block(_ byteCount: Int) throws -> SpareArenas.Block {
        SpareArenas.Block(start: try #require(malloc(byteCount)), byteCount: byteCount)
    }

    private func freeAll(_ spare: SpareArenas) {
        while let block = spare.take(SpareArenas.least) { free(block.start) }
    }

    @Test func theSmallestBlockWithRoomIsUsedAgain() throws {
        let spare = SpareArenas()
        defer { freeAll(spare) }
        let sizes = [3, 2, 2].map { $0 * SpareArenas.least }
        let blocks = try sizes.map { try block($0) }
        for block in blocks { spare.add(block) }
        #expect(spare.take(SpareArenas.least - 1) == nil, "the allocator keeps small ones")
        #expect(spare.take(SpareArenas.least * 3 + 1) == nil)
        let found = try #require(spare.take(SpareArenas.least + 1))
        #expect(found.byteCount == 2 * SpareArenas.least)
        #expect(spare.take(SpareArenas.least * 3)?.start == blocks[0].start)
        for block in [found, blocks[0]] { free(block.start) }
    }

    @Test func sparesDoNotPileUp() throws {
        let spare = SpareArenas()
        defer { freeAll(spare) }
        let count = SpareArenas.byteLimit / SpareArenas.least
        for _ in 0..<count { spare.add(try block(SpareArenas.least)) }
        // It takes the place of all others.
        spare.add(try block(SpareArenas.byteLimit))
        spare.add(try block(SpareArenas.byteLimit + 1))
        let kept = try #require(spare.take(SpareArenas.least))
        #expect(kept.byteCount == SpareArenas.byteLimit && spare.take(SpareArenas.least) == nil)
        free(kept.start)
    }

    @Test func anArenaMovesIntoASpareBlockWithItsBytes() throws {
        let spare = SpareArenas()
        let block = try block(3 * SpareArenas.least)
        spare.add(block)
        var arena = RowArena()
        let bytes = (0..<SpareArenas.least / 2).map { UInt8(truncatingIfNeeded: $0 &* 7) }
        func append() { bytes.withUnsafeBytes { arena.append($0) } }
        arena.grow(by: bytes.count, reusing: spare)
        #expect(arena.capacity < SpareArenas.least, "a small arena takes no spare block")
        append()
        arena.grow(by: bytes.count, reusing: spare)
        #expect(arena.start == block.start && arena.capacity == block.byteCount)
        append()
        let found = arena.bytes(at: 0, count: UInt32(arena.count))
        #expect(found.elementsEqual(bytes + bytes) && spare.take(SpareArenas.least) == nil)
        arena.trim()
        #expect(arena.capacity == 2 * bytes.count && arena.bytes(at: 0, count: 9).elementsEqual(bytes[..<9]))
        arena.deallocate()
    }
}
