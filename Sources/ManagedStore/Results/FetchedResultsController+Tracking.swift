import Foundation

/// Following changes in the context.
extension FetchedResultsController {
    /// The future changes to the list, as a sequence of change sets.
    ///
    /// Get the sequence on the context's queue; iterate over it on any queue. Several sequences can exist at once; each
    /// ends with the controller.
    public var changes: AsyncStream<FetchedResultsChangeSet> {
        managedObjectContext.checkQueue()
        let stream = streams.makeStream()
        startTracking()
        return stream
    }

    private var isListenedTo: Bool { delegate != nil || !streams.isEmpty }

    func startTracking() {
        guard isListenedTo, state != nil else {
            observation = nil
            return
        }
        if observation != nil { return }
        observation = ContextObservation(managedObjectContext) { [weak self] in self?.contextDidChange($0) }
    }

    private func contextDidChange(_ notification: Notification) {
        guard isListenedTo else {
            observation = nil
            return
        }
        waiting.add(notification, managedObjectContext)
        if isReporting { return }
        isReporting = true
        defer { isReporting = false }
        // A delegate may change the context and process the changes. It receives those after the current ones.
        while let next = waiting.take() { bringUpToDate(next) }
    }

    private func bringUpToDate(_ next: WaitingChanges) {
        guard var state else { return }
        let old = state.list
        if next.isInvalidated {
            let changes = state.replace([], updated: [])
            self.report(changes, old: old) { self.state = nil }
            observation = nil
            return
        }
        let plan = state.plan
        let touched = next.touched.union(state.renamed).filter { plan.includes($0.entityIndex) }
        if touched.isEmpty { return }
        read(touched.subtracting(next.invalidated))
        let changes = renew(&state, touched, updated: next.updated)
        report(changes, old: old) { self.state = state }
    }

    private func renew(
        _ state: inout FetchedState, _ touched: Set<ManagedObject>, updated: Set<ManagedObject>
    ) -> FetchedResultsChangeSet {
        // An object that moves into a limited list was not touched itself, so only the store can find it.
        if state.isLimited {
            let objects = managedObjectContext.keepingErrors(otherwise: nil) { () throws(StoreError) in try fetchAll() }
            if let objects { return state.replace(objects, updated: updated) }
        }
        return state.place(touched, updated: updated)
    }

    /// Reads all faults at once. Objects that cannot be read do not belong to the list.
    private func read(_ objects: Set<ManagedObject>) {
        let hollow = objects.filter { $0.state.contains(.isHollow) && !$0.state.contains(.isGone) }
        managedObjectContext.keepingErrors(otherwise: ()) { () throws(StoreError) in
            _ = try managedObjectContext.reload(Array(hollow))
        }
        for object in objects where object.isFault && !object.state.contains(.isHollow) { object.fireFault() }
    }

    private func report(_ changes: FetchedResultsChangeSet, old: FetchedList, adopt: () -> Void) {
        if changes.isEmpty { return adopt() }
        delegate?.controllerWillChangeContent(self)
        adopt()
        if let delegate { tell(delegate, changes, old) }
        streams.yield(changes)
    }

    private func tell(
        _ delegate: some FetchedResultsControllerDelegate<Object>, _ changes: FetchedResultsChangeSet,
        _ old: FetchedList
    ) {
        let new = state?.list
        for section in changes.deletedSections { delegate.controller(self, didChange: section, for: .delete) }
        for section in changes.insertedSections { delegate.controller(self, didChange: section, for: .insert) }
        let kinds: [(FetchedResultsChangeType, [FetchedResultsChangeSet.ObjectChange])] = [
            (.delete, changes.deletes), (.insert, changes.inserts), (.move, changes.moves), (.update, changes.updates),
        ]
        for (type, changes) in kinds {
            for change in changes {
                let object = change.newIndexPath.flatMap { new?.object(at: $0) } ?? old.object(at: change.oldIndexPath!)
                delegate.controller(
                    self, didChange: unsafeDowncast(object, to: Object.self), at: change.oldIndexPath, for: type,
                    newIndexPath: change.newIndexPath)
            }
        }
        delegate.controller(self, didChangeContentWith: changes)
        delegate.controllerDidChangeContent(self)
    }
}
