import BenchHarness
import ForwardingDriver
import Locking

/// Hands over records that it makes itself, in the right number and order.
final class MakingUp: ForwardingSession {
    private struct Records: FetchedRecords {
        let generator: RecordGenerator
        let ordinals: [Int]
        let namesEach: Bool

        var count: Int { ordinals.count }

        func digest(_ positions: Range<Int>, into digester: inout RecordDigester) {
            for ordinal in ordinals[positions] {
                digester.add(namesEach ? generator.value(0, ordinal) : .string("Item 0"))
                for attribute in 1...2 { digester.add(generator.value(attribute, ordinal)) }
                digester.endRecord()
            }
        }
    }

    private let generator: RecordGenerator
    private let namesEach: Bool

    /// - Parameter namesEach: Whether each record gets the name that it was seeded with.
    init(_ base: any StoreSession, _ configuration: StoreConfiguration, namesEach: Bool) {
        generator = configuration.records
        self.namesEach = namesEach
        super.init(base)
    }

    override func fetch(_ work: FetchWork, monitor: PhaseMonitor) throws -> any FetchedRecords {
        let ordinals = 0..<Scenario.fetches.records
        return Records(
            generator: generator,
            ordinals: ordinals.sorted { generator.double(1, $0) < generator.double(1, $1) }, namesEach: namesEach)
    }
}

/// Hands the records of its first fetch over for every later one, in every session.
final class Memorizing: ForwardingSession {
    private struct Records: FetchedRecords {
        let values: [[FieldValue]]

        var count: Int { values.count }

        func digest(_ positions: Range<Int>, into digester: inout RecordDigester) {
            for record in values[positions] {
                for value in record { digester.add(value) }
                digester.endRecord()
            }
        }
    }

    private let memory: Locked<[[FieldValue]]>

    init(_ base: any StoreSession, in memory: Locked<[[FieldValue]]>) {
        self.memory = memory
        super.init(base)
    }

    override func fetch(_ work: FetchWork, monitor: PhaseMonitor) throws -> any FetchedRecords {
        let values = try stored()
        memory.withLock { if $0.isEmpty { $0 = values } }
        return try super.fetch(work, monitor: monitor)
    }

    override func fetchAsynchronously(_ work: FetchWork, monitor: PhaseMonitor) throws -> any FetchedRecords {
        monitor.completed()
        monitor.delivered()
        return Records(values: memory.value)
    }

    private func stored() throws -> [[FieldValue]] {
        var values: [[FieldValue]] = []
        try base.forEachRecord { values.append($0.values) }
        return values.sorted { Self.date($0[1]) < Self.date($1[1]) }
    }

    private static func date(_ value: FieldValue) -> Double {
        if case .date(let date) = value { date } else { 0 }
    }
}

/// Hands over what it found before an update.
final class Remembering: ForwardingSession {
    private var remembered: (any FetchedRecords)?

    override func update(_ work: UpdateWork, monitor: PhaseMonitor) throws {
        remembered = try super.fetch(
            FetchWork(mode: .sync, sort: [SortSpec(key: "createdAt")]), monitor: PhaseMonitor())
        try super.update(work, monitor: monitor)
    }

    override func fetch(_ work: FetchWork, monitor: PhaseMonitor) throws -> any FetchedRecords {
        try remembered ?? super.fetch(work, monitor: monitor)
    }
}
