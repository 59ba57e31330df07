import BenchHarness

extension CheckedSession {
    /// Throws unless the store holds these records, in any order, and no others.
    func expectStored(_ expected: ExpectedRecords) throws {
        let found = try scanned()
        if let problem = expected.discrepancy(in: found, isOrdered: false) {
            throw Discrepancy(description: "the store holds \(problem)")
        }
    }

    /// Throws unless the store finds itself sound.
    func expectSound() throws {
        let problems = try integrityProblems()
        try expect(problems.isEmpty, "the store's own check found \(problems); expected nothing")
    }

    /// Throws unless a fetch finds these records, and no others.
    ///
    /// - Parameter isOrdered: Whether their order counts.
    func expectFetched(_ work: FetchWork, _ expected: ExpectedRecords, isOrdered: Bool = true) throws {
        try expectHeld(try fetch(work), "the fetch found", expected, isOrdered: isOrdered)
    }

    /// Throws unless records that a phase handed back are these, and no others.
    func expectHeld(
        _ fetched: any FetchedRecords, _ what: String, _ expected: ExpectedRecords, isOrdered: Bool = false
    ) throws {
        let found = try FoundRecords { try fetched.digest(into: &$0) }
        if let problem = expected.discrepancy(in: found, isOrdered: isOrdered) {
            throw Discrepancy(description: "\(what) \(problem)")
        }
        try expectEqual(fetched.count, found.count, "\(what) \(found.count) records, with the count")
    }

    /// Throws unless a fetch finds what the harness expects.
    func expectFetched(_ work: FetchWork, _ expectation: FetchExpectation) throws {
        let fetched = try fetch(work)
        var digester = expectation.makeDigester()
        try fetched.digest(into: &digester)
        if let problem = expectation.discrepancy(in: digester) { throw Discrepancy(description: problem) }
    }
}
