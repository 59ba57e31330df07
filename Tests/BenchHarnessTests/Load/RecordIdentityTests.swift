import Testing

@testable import BenchHarness

@Suite struct RecordIdentityTests {
    private func identity(start: Double, step: Double) throws -> RecordIdentity {
        let generator = Generator.sequence(prefix: "", start: start, step: step)
        return try RecordIdentity(
            of: EntitySpec(
                name: "Item",
                attributes: [AttributeSpec(name: "number", type: .int64, generator: generator, isUnique: true)]))
    }

    @Test func keysLeadBackToTheirRecords() throws {
        let identity = try identity(start: 10, step: -3)
        for ordinal in [0, 1, 1_000_000] {
            #expect(identity.ordinal(of: [.int64(identity.key(of: ordinal))]) == ordinal)
        }
        #expect(identity.ordinal(of: [.int64(9)]) == nil && identity.ordinal(of: [.int64(13)]) == nil)
    }

    @Test(arguments: [Int64.min, .min + 1, .max - 1, .max])
    func keysAsLargeAsTheyGetAreJudged(_ key: Int64) throws {
        for (start, step) in [(0.0, 1.0), (1_000, 1), (-1_000, -1), (0, -1)] {
            let identity = try identity(start: start, step: step)
            guard let ordinal = identity.ordinal(of: [.int64(key)]) else { continue }
            #expect(identity.key(of: ordinal) == key)
        }
    }

    @Test func anEntityWithoutSuchAnAttributeIsRefused() {
        let entity = EntitySpec(
            name: "Note", attributes: [AttributeSpec(name: "text", type: .string, generator: .random(length: 20))])
        let refusal = RunError(
            .phase,
            "Note has no unique int64 sequence, which a load needs; add an int64 attribute with \"unique\": true and "
                + "the generator sequence")
        #expect(throws: refusal) {
            try RecordIdentity(of: entity)
        }
    }
}
