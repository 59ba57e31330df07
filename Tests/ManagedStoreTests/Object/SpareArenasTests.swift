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

    /// The bytes of an arena that took over a block of another one are its own.
    @Test func valuesSurviveTheMoveIntoASpareBlock() throws {
        let texts = (0..<300).map { String(repeating: "\($0) ", count: 2_000) }
        for _ in 0..<3 {
            let context = try TestStore(.sqlite).context()
            for text in texts { Item(text, in: context) }
            try context.save()
            context.reset()
            let found = try context.fetch(FetchRequest(Item.self)).map(\.name)
            #expect(Set(found) == Set(texts) && found.count == texts.count)
        }
    }
}
