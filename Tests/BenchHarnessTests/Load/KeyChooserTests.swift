import Testing

@testable import BenchHarness

@Suite struct KeyChooserTests {
    private func draw(_ keys: KeySpec, records: Int, expected: Int? = nil, among count: Int) -> [Int] {
        var random = SplitMix64(state: 3)
        var chooser = KeyChooser(keys, records: records, expected: expected ?? records)
        return (0..<50_000).map { _ in chooser.next(among: count, using: &random) }
    }

    @Test(arguments: [KeySpec.uniform, .zipfian, .latest, .hotSet(records: 10, share: 0.5)])
    func everyRecordIsOneThatIsThere(keys: KeySpec) {
        for (records, count) in [(100, 100), (100, 250), (100, 1), (1, 1)] {
            let drawn = draw(keys, records: records, expected: 300, among: count)
            #expect(drawn.allSatisfy { (0..<count).contains($0) }, "\(keys) of \(count)")
        }
    }

    @Test func latestPrefersWhatCameLast() {
        let drawn = draw(.latest, records: 100, among: 500)
        let last = drawn.filter { $0 == 499 }.count
        #expect(last > drawn.filter { $0 == 498 }.count)
        #expect(drawn.filter { $0 >= 490 }.count > drawn.count * 2 / 5)
    }

    @Test func hotSetDrawsItsShare() {
        let drawn = draw(.hotSet(records: 10, share: 0.8), records: 1_000, among: 1_000)
        let hot = Double(drawn.filter { $0 < 10 }.count) / Double(drawn.count)
        #expect(abs(hot - 0.8) < 0.01)
        #expect(Set(drawn).count > 900)
    }

    @Test func popularRecordsStayPopularWhileOthersComeIn() {
        let before = draw(.zipfian, records: 1_000, expected: 2_000, among: 1_000)
        let after = draw(.zipfian, records: 1_000, expected: 2_000, among: 1_500)
        func favourite(_ drawn: [Int]) -> Int? {
            let seeded = drawn.filter { $0 < 1_000 }
            return Dictionary(grouping: seeded, by: { $0 }).max { $0.value.count < $1.value.count }?.key
        }
        #expect(favourite(before) == favourite(after))
    }

    @Test func mixDrawsItsShares() {
        let mix = OperationMix([.read: 95, .update: 5, .scan: 0])
        var random = SplitMix64(state: 5)
        let drawn = (0..<20_000).map { _ in mix.next(using: &random) }
        #expect(Set(drawn) == [.read, .update])
        #expect(abs(Double(drawn.filter { $0 == .update }.count) / 20_000 - 0.05) < 0.01)
    }

    @Test func insertedRecordsAreAskedForOnceAllBeforeThemAreSettled() {
        let sequence = InsertSequence(records: 10)
        let (first, second) = (sequence.take(2), sequence.take(3))
        #expect(first == 10..<12 && second == 12..<15)
        sequence.settle(second)
        #expect(sequence.count == 10)
        sequence.settle(first)
        #expect(sequence.count == 15)
    }
}
