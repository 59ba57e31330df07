import BenchHarness
import ForwardingDriver

/// Hands over records that it makes itself, in the right number and order.
final class MakingUp: ForwardingSession {
    private struct Records: FetchedRecords {
        let generator: RecordGenerator
        let ordinals: [Int]

        var count: Int { ordinals.count }

        func digest(_ positions: Range<Int>, into digester: inout RecordDigester) {
            for ordinal in ordinals[positions] {
                digester.add("Item 0")
                for attribute in 1...2 { digester.add(generator.value(attribute, ordinal)) }
                digester.endRecord()
            }
        }
    }

    private let generator: RecordGenerator

    init(_ base: any StoreSession, _ configuration: StoreConfiguration) {
        generator = configuration.records
        super.init(base)
    }

    override func fetch(_ work: FetchWork, monitor: PhaseMonitor) throws -> any FetchedRecords {
        let ordinals = 0..<Scenario.fetches.records
        return Records(
            generator: generator,
            ordinals: ordinals.sorted { generator.double(1, $0) < generator.double(1, $1) })
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
