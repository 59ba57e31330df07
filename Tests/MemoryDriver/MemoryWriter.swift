import BenchHarness
import DriverSupport

/// Makes records, and saves those of several threads at once.
struct MemoryWriter: Sendable {
    let store: MemoryView
    let generator: RecordGenerator
    /// The many-to-many relationships that the entity of the records declares.
    var links: [Schema.Link] = []

    /// What saves new records, and the pairs of the many-to-many relationships that their entity declares.
    func insertion(of ordinals: Range<Int>) -> MemorySave {
        var save = MemorySave(written: ordinals.map(record))
        for link in links {
            save.joined[link.name] = save.written.flatMap { record in
                generator.links(link.place, record.ordinal).map { MemoryPair(source: record.number, target: $0) }
            }
        }
        return save
    }

    /// A new record.
    func record(_ ordinal: Int) -> MemoryRecord {
        MemoryRecord(ordinal: ordinal, values: generator.entity.attributes.indices.map { generator.value($0, ordinal) })
    }

    /// Inserts, changes and deletes records in one save.
    ///
    /// - Parameter change: Makes the next version of a record.
    /// - Throws: `MissingRecord` when one to be changed or deleted is not there; then nothing is saved.
    func save(
        inserts: Range<Int>, changes: some Sequence<Int>, deletes: Range<Int>, _ change: (MemoryRecord) -> MemoryRecord
    ) throws -> MemorySave {
        let inserted = inserts.map(record)
        return try store.save { content in
            for ordinal in deletes { _ = try content.record(ordinal) }
            let changed = try changes.map { change(try content.record($0)) }
            return MemorySave(written: inserted + changed, deleted: Array(deletes))
        }
    }
}
