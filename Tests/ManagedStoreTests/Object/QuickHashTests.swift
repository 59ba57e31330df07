import Testing

@testable import ManagedStore

@Suite struct QuickHashTests {
    /// Neighbouring keys, keys that differ in their high bits only, and addresses: each must fill the buckets of a
    /// table as evenly as random numbers do.
    @Test(arguments: [0, 1, 17, -5], [Int64(1), 32, 1 << 20, 1 << 40])
    func evenlySpacedKeysSpreadOverATable(seed: Int, step: Int64) {
        var buckets = [Int](repeating: 0, count: 1_024)
        for index in 0..<Int64(8_192) {
            let hash = QuickHash.value(of: UInt64(bitPattern: index &* step), 3, seed: seed)
            buckets[hash & 1_023] += 1
        }
        #expect(buckets.count { $0 == 0 } < 8)
        #expect(buckets.allSatisfy { $0 < 32 })
    }

    @Test func theSeedChangesTheOrder() {
        let hashes = (0..<64).map { QuickHash.value(of: 1, seed: $0) & 63 }
        #expect(Set(hashes).count > 16)
    }

    @Test func equalReferencesAreOneMemberAndOthersAreNot() {
        let references = (0..<3).flatMap { entity in (-500..<500).map { ObjectReference(entity: entity, key: $0) } }
        let members = Set(references + references)
        #expect(members.count == 3_000)
        #expect(references.allSatisfy { members.contains($0) })
        #expect(!members.contains(ObjectReference(entity: 3, key: 0)))
    }
}
