import Testing

@testable import BenchHarness

@Suite struct MergePlanTests {
    private static let inserting = MergePlan.Save(inserts: 10..<11, changes: 0..<0, deletes: 0..<0)
    private static let deleting = MergePlan.Save(inserts: 0..<0, changes: 0..<0, deletes: 1..<2)
    private static let changing = MergePlan.Save(inserts: 0..<0, changes: 1..<2, deletes: 0..<0)

    /// Saves of several writers may share a transaction; a save of changes alone may change nothing.
    @Test func aMergeTakesAsManyCommitsAsOneWriterMakesSaves() {
        let plan = MergePlan(
            set: [], writers: [[Self.inserting, Self.changing], [Self.inserting, Self.deleting, Self.changing], []])
        #expect(plan.leastCommits == 2)
        #expect(MergePlan(set: [], writers: []).leastCommits == 0)
    }
}
