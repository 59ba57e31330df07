import BenchHarness

/// The values of records before and after changes are taken back.
enum UndoingChecks {
    static let all = [1, 7, 1_000].map(undone)

    /// The values to change are null in some records.
    private static func undone(stepSize: Int) -> ConformanceCheck {
        let entity = EntitySpec.everything
        let work = UndoWork(
            set: [
                AttributeChange(attribute: "text", operation: .assign(.string("new"))),
                AttributeChange(attribute: "rank", operation: .add(1)),
                AttributeChange(attribute: "flag", operation: .toggle),
            ],
            filter: .compare(key: "größe", .notEqual, .null), stepSize: stepSize)
        return ConformanceCheck(
            "undoing", "gives records back the values that they had", "steps of \(stepSize)", entity: entity,
            needs: [.undo(work)]
        ) { store in
            let session = try store.seeded(200)
            let matching = (0..<200).filter { store.records.value(7, $0) != .null }
            let steps = (matching.count + stepSize - 1) / stepSize
            for _ in 0..<2 {
                let records = try session.prepareUndo(work)
                let changed = store.expected(matching) { _, values in
                    values[8] = .string("new")
                    values[3] = values[3].after(.add(1))
                    values[5] = values[5].after(.toggle)
                }
                try session.expectHeld(records, "the session changed", changed)
                for _ in 0..<steps { try session.undo() }
                try session.expectHeld(records, "after undoing, the session holds", store.expected(matching))
                session.finish()
            }
            try session.expectStored(store.expected(0..<200))
        }
    }
}
