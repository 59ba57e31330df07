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

    @Test func lengthsAreDrawnFromTheWholeRange() {
        let strings = generator(.string, .randomLengths(min: 3, max: 9))
        let texts = (0..<1_000).map { strings.string(0, $0) }
        #expect(texts == (0..<1_000).map { strings.string(0, $0) })
        #expect(Set(texts.map(\.utf8.count)) == Set(3...9))
        #expect(texts.allSatisfy { $0.utf8.allSatisfy { UInt8(ascii: "a")...UInt8(ascii: "z") ~= $0 } })
        let data = generator(.data, .randomLengths(min: 0, max: 300))
        let lengths = (0..<1_000).map { data.data(0, $0).count }
        #expect(lengths.allSatisfy { 0...300 ~= $0 } && Set(lengths).count > 200)
    }

    @Test func integersBeyondTheirTypeAreClamped() {
        let generator = generator(.int64, .sequence(prefix: "", start: 0, step: 1e300))
        #expect(generator.int64(0, 1) == .max)
    }
}
