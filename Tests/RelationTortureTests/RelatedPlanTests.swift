import Testing

@testable import BenchHarness
@testable import RelationTorture

@Suite struct RelatedPlanTests {
    private static let accounts = 16

    private func operations(lane: Int, worker: Int, seed: UInt64 = 1) throws -> [RelatedOperation] {
        var scenario = try #require(RelationTorture().scenario)
        (scenario.records, scenario.seed) = (Self.accounts, seed)
        let job = TortureJob(
            scenario: scenario, phase: 0, driver: "managed", lane: lane, seconds: 1, store: "", journals: "", parent: 1)
        var plan = RelatedPlan(job, worker: worker)
        return (0..<2_000).map { _ in plan.operation() }
    }

    @Test func seedDecides() throws {
        #expect(try operations(lane: 1, worker: 0) == operations(lane: 1, worker: 0))
        #expect(try operations(lane: 1, worker: 0) != operations(lane: 1, worker: 0, seed: 2))
        #expect(try operations(lane: 1, worker: 0) != operations(lane: 2, worker: 0))
    }

    @Test(arguments: 0..<RelatedPlan.workers) func workersKeepToTheirAccounts(worker: Int) throws {
        let isStrict = worker % 2 == 0
        for operation in try operations(lane: 3, worker: worker) {
            if isStrict { #expect(operation.policy == .error) }
            #expect(Set(operation.accounts).count == operation.accounts.count)
            for account in operation.accounts {
                #expect(RelatedPlan.isStrict(account: account, of: Self.accounts) == isStrict, "\(operation)")
            }
        }
    }

    @Test func everythingIsDoneWithEveryPolicy() throws {
        let operations = try operations(lane: 1, worker: 1)
        #expect(Set(operations.map(\.kind)) == Set(RelatedOperation.Kind.allCases))
        #expect(Set(operations.map(\.policy)) == Set(RelatedOperation.Policy.allCases))
    }

    @Test func noListIsDeletedUnderThePolicyThatOverwrites() throws {
        let deletions = try (0..<RelatedPlan.workers).flatMap { worker in
            try operations(lane: 1, worker: worker).filter { $0.kind == .deleteList }
        }
        #expect(Set(deletions.map(\.policy)) == Set(RelatedOperation.Policy.allCases).subtracting([.overwrite]))
    }

    @Test func noTwoWorkersInsertTheSame() throws {
        let inserted = try (1..<4).flatMap { lane in
            try (0..<RelatedPlan.workers).flatMap { worker in
                try operations(lane: lane, worker: worker).filter { $0.kind == .insert || $0.kind == .insertList }
                    .flatMap(\.numbers)
            }
        }
        #expect(Set(inserted).count == inserted.count)
    }

    @Test func recordsOfTheBeginningAgree() throws {
        let records = RelatedPlan.seed(Self.accounts)
        #expect(RelatedAudit.disagreements(records) == [])
        let strict = records.accounts.filter { RelatedPlan.isStrict(account: $0.number, of: Self.accounts) }
        #expect(strict.reduce(0) { $0 + $1.balance } == RelatedPlan.sum(Self.accounts) && strict.count == 8)
    }
}
