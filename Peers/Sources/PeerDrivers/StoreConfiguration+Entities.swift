import BenchHarness
import DriverSupport

extension RelatedEntities {
    /// Creates the entities whose records a store holds: those of the scenario or, where records have owners, these
    /// too. Then a driver of several entities needs no other way to keep owners.
    init(storing entity: EntitySpec, others: [EntitySpec]) {
        guard let owner = entity.owner else {
            self.init(entity, others: others)
            return
        }
        var owners = owner.entity
        owners.records = owner.records
        self.init(entity, others: [owners])
    }
}

extension StoreConfiguration {
    /// The entities whose records the store holds.
    var storedEntities: RelatedEntities { RelatedEntities(storing: entity, others: others) }

    /// Makes the records of another one of these entities.
    func generator(of other: EntitySpec) -> RecordGenerator { records.owners ?? records.sibling(other) }
}
