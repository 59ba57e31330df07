/// Iterates over objects without reference counting, which costs more than most of the work on each object.
extension ContiguousArray<ManagedObject> {
    /// Calls `body` with each object. The array keeps the objects alive; `body` may change the variable that holds the
    /// array.
    @inline(__always) func forEachUncounted(_ body: (ManagedObject) -> Void) {
        self[...].forEachUncounted(body)
    }
}

extension ContiguousArray<ManagedObject>.SubSequence {
    /// Calls `body` with each object, as the array's method does.
    @inline(__always) func forEachUncounted(_ body: (ManagedObject) -> Void) {
        withUnsafeBufferPointer { objects in
            guard let start = objects.baseAddress else { return }
            let references = UnsafeRawPointer(start).assumingMemoryBound(to: Unmanaged<ManagedObject>.self)
            for index in objects.indices { references[index]._withUnsafeGuaranteedRef(body) }
        }
    }
}
