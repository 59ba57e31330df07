/// What reading and writing a property does besides.
extension ManagedObject {
    /// Checks that the object is used where it may be, and fires a fault.
    @usableFromInline final func prepareForReading() {
        // Most faults hold their values already: only the mark goes.
        if state.isDisjoint(with: [.isHollow, .isWatched]) {
            state.remove(.isFault)
            return
        }
        checkQueue()
        if state.contains(.isFault) { fireFault() }
    }

    /// Traps when called off the queue of the object's context, if that is checked: see
    /// ``ManagedObjectContext/isConcurrencyDebuggingEnabled``.
    final func checkQueue() {
        guard state.contains(.isWatched), let context = managedObjectContext, !context.executor.isCurrent else {
            return
        }
        fatalError(
            "\(self) was used off the \(context.place) of its context, \(context.descriptionForErrors); go through "
                + "the context's perform(_:), and hand objectIDs, not objects, to others")
    }

    /// Fires a fault: the values are read from the store if the row does not hold them already.
    ///
    /// An object that the store no longer has reads as if it had no values, and has left its context, as in Core Data.
    /// One that could not be read reads so too and stays a fault; the context keeps the error.
    @usableFromInline final func fireFault() {
        do throws(StoreError) {
            _ = try loadFault()
        } catch {
            managedObjectContext?.keep(error)
        }
    }

    /// Fires a fault; false if the store no longer has the object.
    ///
    /// - Throws: any error of reading the store; the object is a fault as before.
    final func loadFault() throws(StoreError) -> Bool {
        guard state.contains(.isHollow) else {
            state.remove(.isFault)
            return true
        }
        if !state.contains(.isGone), try requireContext().load(self) { return true }
        // It stays hollow: each throwing request for its values says that there are none.
        state.remove(.isFault)
        return false
    }

    /// The context of an object that has not left it. Traps when the context is gone.
    private final func requireContext() -> ManagedObjectContext {
        guard let context = managedObjectContext else { fatalError(contextIsGone) }
        return context
    }

    final var contextIsGone: String {
        "the context of \(objectID) is gone; keep the context while its objects are used"
    }

    /// Gives the object a row that may be written, if it has none.
    @inline(__always) final func prepareForWritingIfNeeded() {
        if !state.isReadyForWriting || isArenaFull { prepareForWriting() }
    }

    /// Moves the object to a row that it may write, and tells the context that it changed.
    @usableFromInline final func prepareForWriting() {
        checkQueue()
        if state.contains(.isFault) { fireFault() }
        if state.contains(.isGone) { return prepareForWritingAlone() }
        // What could not be read cannot be changed. The write goes to the fault's own row, which the values replace
        // once they are read.
        if state.contains(.isHollow) { return }
        let registry = unmanagedPage._withUnsafeGuaranteedRef { $0.unmanagedRegistry }
        // The context keeps its registry while the object moves from page to page.
        guard registry?._withUnsafeGuaranteedRef({ $0.withContext { $0.willChange(self) } }) != nil else {
            fatalError(contextIsGone)
        }
    }

    /// Moves an object that has left its context to a row of its own, which is never saved.
    private final func prepareForWritingAlone() {
        if !state.contains(.isWritable) || isArenaFull {
            let own = RowPage(writable: page.source, capacity: 1)
            adopt(own, own.appendCopy(of: rowReference))
        }
        state.insert([.isWritable, .isReported])
        state.remove(.isHollow)
    }
}
