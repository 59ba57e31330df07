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

    @Test func choicesFollowTheirWeights() {
        let values = ["inbox", "sent", "never", "spam"].map(FieldValue.string)
        let weighted = generator(.string, .choice(values: values, weights: [7, 2, 0, 1]))
        let counts = Dictionary(grouping: (0..<10_000).map { weighted.string(0, $0) }, by: \.self).mapValues(\.count)
        #expect(counts.keys.sorted() == ["inbox", "sent", "spam"])
        // Three standard deviations of a share of 0.7 are 137 of 10,000 records.
        for (name, count) in ["inbox": 7_000, "sent": 2_000, "spam": 1_000] {
            #expect(abs(counts[name, default: 0] - count) < 140, "\(counts)")
        }
        let alike = generator(.int64, .choice(values: (0..<7).map { .int64($0) }, weights: nil))
        let numbers = Dictionary(grouping: (0..<7_000).map { alike.int64(0, $0) }, by: \.self)
        #expect(numbers.count == 7 && numbers.values.allSatisfy { abs($0.count - 1_000) < 100 })
    }

    @Test(arguments: FieldType.allCases) func aChoiceIsTheSameByEachWayToAskForIt(_ type: FieldType) {
        let values: [FieldValue] =
            switch type {
            case .string: [.string("a"), .null, .string("é")]
            case .date: [.date(-1.5), .null, .date(2)]
            case .double: [.double(0.25), .null, .double(1e9)]
            case .int64: [.int64(1 << 60), .null, .int64(-7)]
            case .bool, .data: []
            }
        guard !values.isEmpty else { return }
        let records = generator(type, .choice(values: values, weights: nil))
        for ordinal in 0..<100 {
            let value = records.value(0, ordinal)
            #expect(records.isNull(0, ordinal) == (value == .null))
            switch value {
            case .string(let text): #expect(records.string(0, ordinal) == text)
            case .date(let number), .double(let number): #expect(records.double(0, ordinal) == number)
            case .int64(let number): #expect(records.int64(0, ordinal) == number)
            default: #expect(value == .null)
            }
        }
        #expect(Set((0..<100).map { records.value(0, $0) }) == Set(values))
    }

    @Test func fewWordsAreFrequent() {
        let words = generator(.string, .words(min: 3, max: 9, vocabulary: 500))
        let texts = (0..<3_000).map { words.string(0, $0).split(separator: " ").map(String.init) }
        #expect(Set(texts.map(\.count)) == Set(3...9))
        #expect(texts == (0..<3_000).map { words.string(0, $0).split(separator: " ").map(String.init) })
        let letters = UInt8(ascii: "a")...UInt8(ascii: "z")
        #expect(texts.joined().allSatisfy { (4...12).contains($0.utf8.count) && $0.utf8.allSatisfy(letters.contains) })
        let counts = Dictionary(grouping: texts.joined(), by: \.self).values.map(\.count).sorted(by: >)
        #expect(counts.count > 400)
        // The harmonic number of 500 is 6.79: the first word is one of 6.79, the second one of 13.6.
        let all = Double(counts.reduce(0, +))
        #expect(abs(Double(counts[0]) / all - 1 / 6.79) < 0.02 && abs(Double(counts[1]) / all - 1 / 13.6) < 0.02)
        let others = generator(.string, .words(min: 3, max: 9, vocabulary: 500), seed: 2)
        #expect(Set(texts.joined()).intersection(others.string(0, 0).split(separator: " ").map(String.init)).count < 3)
    }

    @Test func aWordOfOneIsThatWord() {
        let words = generator(.string, .words(min: 1, max: 1, vocabulary: 1))
        #expect(Set((0..<100).map { words.string(0, $0) }).count == 1)
        #expect((4...12).contains(words.string(0, 0).utf8.count))
    }

    @Test func ascendingDatesAscendIrregularly() {
        let dates = generator(.date, .ascending(start: 1_000, step: 60))
        let values = (0..<10_000).map { dates.double(0, $0) }
        #expect(values == values.sorted() && values[0] >= 1_000)
        #expect(abs(values[9_999] - 1_000 - 60 * 9_999) < 60)
        let steps = zip(values, values.dropFirst()).map { $1 - $0 }
        #expect((steps.max() ?? 0) > 110 && (steps.min() ?? 60) < 10)
    }

    @Test(arguments: [0.0, 0.25, 1]) func nullsComeInTheirShare(_ share: Double) {
        var entity = EntitySpec(
            name: "Item",
            attributes: [
                AttributeSpec(
                    name: "a", type: .double, generator: .uniform(min: 0, max: 1), nullShare: share)
            ])
        let records = RecordGenerator(entity: entity, seed: 3)
        let values = (0..<10_000).map { records.value(0, $0) }
        let nulls = values.count { $0 == .null }
        #expect(abs(Double(nulls) - share * 10_000) <= (share == 0.25 ? 130 : 0), "\(nulls)")
        #expect(records.isSometimesNull(0) == (share > 0) && !records.isNull(0))
        // What is there is what would be there without nulls, in its whole range.
        entity.attributes[0].nullShare = nil
        let all = RecordGenerator(entity: entity, seed: 3)
        var sum = 0.0
        for (ordinal, value) in values.enumerated() where value != .null {
            #expect(value == all.value(0, ordinal))
            sum += all.double(0, ordinal)
        }
        if share == 0.25 { #expect(abs(sum / Double(10_000 - nulls) - 0.5) < 0.012) }
    }

    @Test func mostRecordsLeadToAFew() {
        func counts(_ distribution: ReferenceSpec.Distribution?) -> [Int] {
            var entity = ListFixture.item
            entity.references?[0].records = 1_000
            entity.references?[0].distribution = distribution
            let records = RecordGenerator(entity: entity, seed: 1)
            let lists = (0..<100_000).map { records.int64(entity.attributes.count - 1, $0) }
            #expect(lists.allSatisfy { (1...1_000).contains($0) })
            return Dictionary(grouping: lists, by: \.self).values.map(\.count).sorted(by: >)
        }
        #expect(counts(nil) == counts(.uniform) && counts(nil)[0] < 200)
        let zipfian = counts(.zipfian)
        // The most popular of ten thousand million ranks has a share of 1 / 26.5, and the hundred first ones of
        // 5.2 / 26.5; the others fall on all lists alike.
        #expect(zipfian[0] > 3_000 && zipfian.prefix(100).reduce(0, +) > 22_000, "\(zipfian.prefix(5))")
        #expect(counts(nil).prefix(100).reduce(0, +) < 13_000)
    }
}
