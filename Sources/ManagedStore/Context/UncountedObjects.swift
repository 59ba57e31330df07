/// Going through objects without counting references to them, which costs more than most of what is done with one.
extension ContiguousArray<ManagedObject> {
    /// Calls `body` with each object. The array keeps them; `body` may change the variable that it was taken from.
    @inline(__always) func forEachUncounted(_ body: (ManagedObject) -> Void) {
        self[...].forEachUncounted(body)
    }
}

extension ContiguousArray<ManagedObject>.SubSequence {
    /// As for an array.
    @inline(__always) func forEachUncounted(_ body: (ManagedObject) -> Void) {
        withUnsafeBufferPointer { objects in
            guard let start = objects.baseAddress else { return }
            let references = UnsafeRawPointer(start).assumingMemoryBound(to: Unmanaged<ManagedObject>.self)
            for index in objects.indices { references[index]._withUnsafeGuaranteedRef(body) }
        }
    }
}
