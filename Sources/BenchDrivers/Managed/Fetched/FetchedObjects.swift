import BenchHarness
import ManagedStore

/// The objects of a fetch, in order.
struct FetchedObjects<Mapping: ObjectMapping>: FetchedRecords {
    private let mapping: Mapping
    private let objects: [Mapping.Object]
    private let context: ManagedObjectContext

    init(_ mapping: Mapping, _ objects: [Mapping.Object], in context: ManagedObjectContext) {
        self.mapping = mapping
        self.objects = objects
        self.context = context
    }

    var count: Int { objects.count }

    func digest(into digester: inout RecordDigester) {
        context.performAndWait {
            for object in objects {
                mapping.digest(object, into: &digester)
                digester.endRecord()
            }
        }
    }
}
