import BenchHarness

/// The expected content of the store after an update, in each mode.
enum UpdatingChecks {
    static let all =
        UpdateWork.Mode.allCases.flatMap { [every($0), some($0), computed($0), zeroByte($0), twice($0)] }
        + [drawn(.perObject), drawn(.chunked), timed, conflicting]

    private static func check(
        _ behaviour: String, _ works: [UpdateWork], entity: EntitySpec = .item,
        body: @escaping @Sendable (CheckedStore) throws -> Void
    ) -> ConformanceCheck {
        let variant = works.count == 1 ? works[0].mode.rawValue : nil
        return ConformanceCheck(
            "updating", behaviour, variant, entity: entity, needs: works.map(Phase.Work.update), body: body)
    }

    private static func every(_ mode: UpdateWork.Mode) -> ConformanceCheck {
        let set = [AttributeChange(attribute: "done", operation: .assign(.bool(true)))]
        let work = UpdateWork(mode: mode, set: set, chunkSize: 64)
        return check("changes every record", [work]) { store in
            let session = try store.seeded(1_000)
            try session.update(work)
            try session.expectStored(store.expected(0..<1_000) { $1[2] = .bool(true) })
            try session.expectSound()
        }
    }

    private static func some(_ mode: UpdateWork.Mode) -> ConformanceCheck {
        let work = UpdateWork(
            mode: mode, set: [AttributeChange(attribute: "done", operation: .toggle)],
            filter: .compare(key: "done", .equal, .bool(true)), chunkSize: 64)
        return check("changes what a filter lets through, and no record twice", [work]) { store in
            let session = try store.seeded(1_000)
            try session.update(work)
            try session.expectStored(store.expected(0..<1_000) { $1[2] = .bool(false) })
        }
    }

    private static func computed(_ mode: UpdateWork.Mode) -> ConformanceCheck {
        let changes = [
            AttributeChange(attribute: "flag", operation: .toggle),
            AttributeChange(attribute: "rank", operation: .add(3)),
            AttributeChange(attribute: "at", operation: .add(0.5)),
            AttributeChange(attribute: "weight", operation: .assign(.null)),
            AttributeChange(attribute: "note", operation: .assign(.string("é'x"))),
        ]
        let work = UpdateWork(mode: mode, set: changes, chunkSize: 64)
        return check("toggles, adds and assigns from the old values", [work], entity: .everything) { store in
            let session = try store.seeded(300)
            try session.update(work)
            let expected = store.expected(0..<300) { ordinal, values in
                values[5] = .bool(!store.records.bool(5, ordinal))
                values[3] = .int64(store.records.int64(3, ordinal) + 3)
                values[4] = .date(store.records.double(4, ordinal) + 0.5)
                values[1] = .null
                values[6] = .string("é'x")
            }
            try session.expectStored(expected)
            try session.expectSound()
        }
    }

    /// Also in records that a filter scatters, and with texts of changing length.
    private static func drawn(_ mode: UpdateWork.Mode) -> ConformanceCheck {
        let (text, number) = (
            AttributeDraw(type: .string, generator: .randomLengths(min: 0, max: 90), seed: 5),
            AttributeDraw(type: .double, generator: .uniform(min: -1, max: 1), seed: 6)
        )
        let changes = [
            AttributeChange(attribute: "note", operation: .draw(text)),
            AttributeChange(attribute: "weight", operation: .draw(number)),
        ]
        let work = UpdateWork(
            mode: mode, set: changes, filter: .compare(key: "flag", .equal, .bool(true)), chunkSize: 64)
        return check("draws a value for each record", [work], entity: .everything) { store in
            let session = try store.seeded(300)
            try session.update(work)
            let expected = store.expected(0..<300) { ordinal, values in
                guard store.records.bool(5, ordinal) else { return }
                values[6] = text.value(ordinal)
                values[1] = number.value(ordinal)
            }
            try session.expectStored(expected)
            try session.expectSound()
        }
    }

    /// Apart from other texts, for a driver whose library ends a text at its first zero byte: it names such a phase in
    /// `unsupportedReason(for:in:)`.
    private static func zeroByte(_ mode: UpdateWork.Mode) -> ConformanceCheck {
        let text = FieldValue.string("a\u{0}b")
        let work = UpdateWork(mode: mode, set: [AttributeChange(attribute: "name", operation: .assign(text))])
        return check("assigns a text with a zero byte in it", [work]) { store in
            let session = try store.seeded(10)
            try session.update(work)
            try session.expectStored(store.expected(0..<10) { $1[0] = text })
        }
    }

    private static func twice(_ mode: UpdateWork.Mode) -> ConformanceCheck {
        let set = [AttributeChange(attribute: "createdAt", operation: .add(10))]
        let work = UpdateWork(mode: mode, set: set, chunkSize: 64)
        return check("changes the same records again", [work]) { store in
            let session = try store.seeded(100)
            for _ in 0..<2 { try session.update(work) }
            try session.expectStored(
                store.expected(0..<100) { $1[1] = .date(store.records.double(1, $0) + 10 + 10) })
        }
    }

    /// A clock that counts rows shows what an operation includes.
    private static let timed: ConformanceCheck = {
        let set = [AttributeChange(attribute: "done", operation: .toggle)]
        let work = UpdateWork(mode: .chunked, set: set, chunkSize: 100)
        return check("times the fetch, the changes and the save of each chunk", [work]) { store in
            let session = try store.seeded(1_000)
            session.resetCounters()
            guard let clock = try session.rowClock() else {
                throw Unsupported(reason: "its sessions count no rows, which would show what it times")
            }
            let monitor = PhaseMonitor(clock: clock)
            try session.updatePrepared(work, monitor: monitor)
            let chunks = monitor.observations().latencies
            try expectEqual(chunks.count, 10, "the session timed this number of chunks:")
            try expect(
                chunks.min ?? 0 >= 200,
                "a timed chunk of 100 records took \(chunks.min ?? 0) rows; expected 200, half of them read and half written"
            )
        }
    }()

    private static let conflicting: ConformanceCheck = {
        let mine = UpdateWork(mode: .perObject, set: [AttributeChange(attribute: "done", operation: .toggle)])
        let theirs = UpdateWork(
            mode: .batch, set: [AttributeChange(attribute: "name", operation: .assign(.string("theirs")))],
            filter: .compare(key: "name", .equal, .string("Item 50")))
        return check("refuses to overwrite what another session has changed", [mine, theirs]) { store in
            let session = try store.seeded(100)
            guard try session.counters().conflicts != nil else {
                throw Unsupported(reason: "its sessions count no conflicts, so they need not find any")
            }
            try session.prepareUpdate(mine)
            try store.open().update(theirs)
            try expectRefusal(of: "saving a record that another session has changed") {
                try session.updatePrepared(mine)
            }
            try expectEqual(session.counters().conflicts, 1, "the session counts this number of conflicts:")
            try session.expectStored(
                store.expected(0..<100) { ordinal, values in if ordinal == 50 { values[0] = .string("theirs") } })
            session.finish()
        }
    }()
}
