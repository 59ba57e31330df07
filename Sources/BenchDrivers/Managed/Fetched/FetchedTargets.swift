import BenchHarness
import ManagedStore

/// The objects of a fetch, in order, each with the one that a relationship leads to.
struct FetchedTargets: ContextRecords {
    private let mapping: LinkedMapping
    private let objects: [ManagedObject]
    private let relationship: String
    private let target: FieldsMapping
    let context: ManagedObjectContext

    init(
        _ mapping: LinkedMapping, _ objects: [ManagedObject], _ relationship: String, _ target: FieldsMapping,
        in context: ManagedObjectContext
    ) {
        self.mapping = mapping
        self.objects = objects
        self.relationship = relationship
        self.target = target
        self.context = context
    }

    var count: Int { objects.count }

    func digest(_ positions: Range<Int>, into digester: inout RecordDigester) {
        context.performAndWait {
            for object in objects[positions] {
                mapping.digest(object, into: &digester)
                if let related = mapping.related(object, relationship) { target.digest(related, into: &digester) }
                digester.endRecord()
            }
        }
    }
}

/// The objects of a fetch, in order, each with those that a relationship leads to.
struct FetchedGroups: ContextRecords {
    private let mapping: LinkedMapping
    private let objects: [ManagedObject]
    private let groups: [[ManagedObject]]
    private let member: LinkedMapping
    private let isOrdered: Bool
    let context: ManagedObjectContext

    init(
        _ mapping: LinkedMapping, _ objects: [ManagedObject], _ groups: [[ManagedObject]], _ member: LinkedMapping,
        isOrdered: Bool, in context: ManagedObjectContext
    ) {
        self.mapping = mapping
        self.objects = objects
        self.groups = groups
        self.member = member
        self.isOrdered = isOrdered
        self.context = context
    }

    var count: Int { objects.count }

    func digest(_ positions: Range<Int>, into digester: inout RecordDigester) {
        context.performAndWait {
            for position in positions {
                let object = objects[position]
                digester.addOwner(object.objectID.primaryKey, isOrdered: isOrdered) {
                    mapping.digest(object, into: &$0)
                } records: {
                    member.digest(groups[position][...], into: &$0)
                }
            }
        }
    }
}
