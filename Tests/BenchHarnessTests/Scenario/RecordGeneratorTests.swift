import Testing

@testable import BenchHarness

@Suite struct RecordGeneratorTests {
    private func generator(_ type: FieldType, _ generator: Generator, seed: UInt64 = 1) -> RecordGenerator {
        let attribute = AttributeSpec(name: "a", type: type, generator: generator)
        return RecordGenerator(entity: EntitySpec(name: "Item", attributes: [attribute]), seed: seed)
    }

    @Test(arguments: ["", "Item ", "a prefix longer than fifteen bytes ", "Größe "])
    func sequencesOfTextEndInTheOrdinal(_ prefix: String) {
        let generator = generator(.string, .sequence(prefix: prefix, start: 0, step: 1))
        for ordinal in [0, 9, 10, 99, 100, 12_345, 999_999_999] {
            #expect(generator.string(0, ordinal) == "\(prefix)\(ordinal)")
        }
    }

    @Test func valuesDependOnSeedAndOrdinalAlone() {
        let uniform = Generator.uniform(min: -5, max: 5)
        let first = generator(.double, uniform)
        let values = (0..<1_000).map { first.double(0, $0) }
        #expect(values == (0..<1_000).map { generator(.double, uniform).double(0, $0) })
        #expect(values != (0..<1_000).map { generator(.double, uniform, seed: 2).double(0, $0) })
        #expect(values.allSatisfy { (-5...5).contains($0) } && Set(values).count == 1_000)
    }

    @Test func integersBeyondTheirTypeAreClamped() {
        let generator = generator(.int64, .sequence(prefix: "", start: 0, step: 1e300))
        #expect(generator.int64(0, 1) == .max)
    }
}
