import BenchHarness
import ManagedStore

extension ManagedSession: UndoingSession {
    /// Processing the pending changes ends a step, as the end of an event does in an application.
    func prepareUndo(_ work: UndoWork) throws -> any FetchedRecords {
        try context.performAndWait {
            context.undoManager = UndoManager()
            prepared = try context.fetch(request(filter: work.filter))
            let change = try change(work.set)
            for start in stride(from: 0, to: prepared.count, by: max(work.stepSize, 1)) {
                for object in prepared[start..<min(start + work.stepSize, prepared.count)] { change(object) }
                context.processPendingChanges()
            }
            return FetchedObjects(mapping, prepared, in: context)
        }
    }

    func undo() throws { context.performAndWait { context.undo() } }
}
