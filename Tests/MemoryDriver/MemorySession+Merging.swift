import BenchHarness
import DriverSupport

extension MemorySession: MergingSession {
    func prepareMerge(_ plan: MergePlan) throws {
        let mirror = makeMirror()
        for save in plan.writers.joined() {
            try mirror.load((Array(save.changes) + Array(save.deletes)).map { Int64($0) })
        }
        self.mirror = mirror
    }

    func merge(_ plan: MergePlan, monitor: PhaseMonitor) throws -> any FetchedRecords {
        let mirror = mirror ?? makeMirror()
        let changes = try RecordChange.resolve(plan.set, of: entity)
        let run = MergeRun(plan, mergeQueue: mergeQueue)
        try run.run { [writer] save in
            let saved = try monitor.operation {
                try writer.save(inserts: save.inserts, changes: save.changes, deletes: save.deletes) {
                    $0.changed(by: changes)
                }
            }
            run.merge { try mirror.merge(saved.keys) }
        }
        return mirror
    }

    /// Records that are brought up to date by their keys, which are their ordinals.
    func makeMirror() -> RecordMirror<MemoryRecord> {
        RecordMirror(key: { Int64($0.ordinal) }, digest: { $0.digest(into: &$1) }) { [store] keys in
            let content = store.snapshot
            return keys.compactMap { content.records[Int($0)] }
        }
    }
}
