import BenchHarness
import ManagedStore

/// The objects of a fetch, in order.
struct FetchedObjects<Mapping: ObjectMapping>: ContextRecords {
    private let mapping: Mapping
    private let objects: [Mapping.Object]
    let context: ManagedObjectContext

    init(_ mapping: Mapping, _ objects: [Mapping.Object], in context: ManagedObjectContext) {
        self.mapping = mapping
        self.objects = objects
        self.context = context
    }

    var count: Int { objects.count }

    func digest(_ positions: Range<Int>, into digester: inout RecordDigester) {
        context.performAndWait { mapping.digest(objects[positions], into: &digester) }
    }
}
