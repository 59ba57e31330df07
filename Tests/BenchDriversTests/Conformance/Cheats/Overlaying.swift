import BenchHarness
import ForwardingDriver

/// Keeps updates in memory, and shows them to a scan of the session.
final class Overlaying: ForwardingSession {
    private let entity: EntitySpec
    private var kept: [AttributeChange] = []

    init(_ base: any StoreSession, _ entity: EntitySpec) {
        self.entity = entity
        super.init(base)
    }

    override func update(_ work: UpdateWork, monitor: PhaseMonitor) throws {
        guard work.mode != .perObject else { return try super.update(work, monitor: monitor) }
        kept += work.set
        // As many saves as the update of the scenario has.
        if work.mode == .chunked { for _ in 0..<4 { monitor.operation {} } }
    }

    override func scan(into digester: inout RecordDigester) throws {
        let changes = try kept.map { (try entity.position(of: $0.attribute), $0.operation) }
        try base.forEachRecord { record in
            var values = record.values
            for (attribute, operation) in changes { values[attribute] = values[attribute].after(operation) }
            for value in values { digester.add(value) }
            digester.endRecord()
        }
    }
}
