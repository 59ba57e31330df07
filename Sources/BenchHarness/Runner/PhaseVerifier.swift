/// Judges, outside the clock, whether a phase did what it must.
struct PhaseVerifier {
    let phase: Phase
    /// What must be in the store now.
    let expected: ExpectedStore
    let plan: MergePlan?

    /// What is wrong; empty when all is well.
    func problems(
        _ session: any StoreSession, _ fetched: (any FetchedRecords)?, _ observations: PhaseObservations
    ) throws -> [String] {
        if case .fetch(let work) = phase.work {
            // A fetch that was over before it could be cancelled is a complete one, whose cancellation was not
            // measured.
            return observations.wasCancelled
                ? cancellationProblems(fetched, observations) : try fetchProblems(work, fetched)
        }
        return try mergeProblems(fetched) + storeProblems(session)
    }

    private func cancellationProblems(_ fetched: (any FetchedRecords)?, _ observations: PhaseObservations) -> [String] {
        guard observations.cancelAnswer != nil else { return ["the fetch completed without heeding its cancellation"] }
        let count = fetched?.count ?? 0
        return count == 0 ? [] : ["a cancelled fetch handed over \(count) records; expected none"]
    }

    private func fetchProblems(_ work: FetchWork, _ fetched: (any FetchedRecords)?) throws -> [String] {
        let expectation = expected.expectation(for: work)
        var digester = expectation.makeDigester()
        try fetched?.digest(into: &digester)
        return expectation.discrepancy(in: digester).map { [$0] } ?? []
    }

    private func mergeProblems(_ fetched: (any FetchedRecords)?) throws -> [String] {
        guard let plan else { return [] }
        var digester = RecordDigester()
        try fetched?.digest(into: &digester)
        let wanted = expected.mergedDigest(plan)
        let found = digester.digest
        guard found.count == wanted.count else {
            return ["the merging context holds \(found.count) changed and inserted records; expected \(wanted.count)"]
        }
        return found.unordered == wanted.unordered ? [] : ["the merging context holds other values than were saved"]
    }

    private func storeProblems(_ session: any StoreSession) throws -> [String] {
        var digester = RecordDigester()
        try session.scan(into: &digester)
        let (found, wanted) = (digester.digest, expected.digestWithOwners())
        var problems = try session.checkIntegrity()
        if found.count != wanted.count {
            problems.append("the store holds \(found.count) records; expected \(wanted.count)")
        } else if found.unordered != wanted.unordered {
            problems.append("the store holds other values than expected")
        }
        return problems
    }
}
