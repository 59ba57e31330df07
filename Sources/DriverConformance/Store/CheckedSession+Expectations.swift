import BenchHarness

extension CheckedSession {
    /// Throws unless the store holds exactly these records, in any order.
    func expectStored(_ expected: ExpectedRecords) throws {
        let found = try scanned()
        if let problem = expected.discrepancy(in: found, isOrdered: false) {
            throw Discrepancy(description: "the store holds \(problem)")
        }
    }

    /// Throws unless the store's own check finds no error.
    func expectSound() throws {
        let problems = try integrityProblems()
        try expect(problems.isEmpty, "the store's own check found \(problems); expected nothing")
    }

    /// Throws unless a fetch finds exactly these records.
    ///
    /// - Parameter isOrdered: Whether their order counts.
    func expectFetched(_ work: FetchWork, _ expected: ExpectedRecords, isOrdered: Bool = true) throws {
        try expectHeld(try fetch(work), "the fetch found", expected, isOrdered: isOrdered)
    }

    /// Throws unless a phase returned exactly these records.
    func expectHeld(
        _ fetched: any FetchedRecords, _ what: String, _ expected: ExpectedRecords, isOrdered: Bool = false
    ) throws {
        let found = try FoundRecords { try fetched.digest(into: &$0) }
        if let problem = expected.discrepancy(in: found, isOrdered: isOrdered) {
            throw Discrepancy(description: "\(what) \(problem)")
        }
        try expectEqual(fetched.count, found.count, "\(what) \(found.count) records, with the count")
    }

    /// Throws unless a fetch finds the records that the harness expects.
    func expectFetched(_ work: FetchWork, _ expectation: FetchExpectation) throws {
        let fetched = try fetch(work)
        var digester = expectation.makeDigester()
        try fetched.digest(into: &digester)
        if let problem = expectation.discrepancy(in: digester) { throw Discrepancy(description: problem) }
    }
}
