import BenchHarness
import ManagedStore

/// The objects that a fetch found, in order.
struct ManagedRecords<Record: ManagedRecord>: FetchedRecords {
    private let record: Record
    private let objects: [Record.Object]
    private let context: ManagedObjectContext

    init(_ record: Record, _ objects: [Record.Object], in context: ManagedObjectContext) {
        self.record = record
        self.objects = objects
        self.context = context
    }

    var count: Int { objects.count }

    func digest(into digester: inout RecordDigester) {
        context.performAndWait {
            for object in objects {
                record.digest(object, into: &digester)
                digester.endRecord()
            }
        }
    }
}
