/// What concerns each of many objects, without reference counting.
extension [ManagedObject] {
    /// Calls `body` with each object, which the array keeps alive.
    @inline(__always) func forEachUncounted(_ body: (ManagedObject) -> Void) {
        withUnsafeBufferPointer { objects in
            guard let start = objects.baseAddress else { return }
            let references = UnsafeRawPointer(start).assumingMemoryBound(to: Unmanaged<ManagedObject>.self)
            for index in objects.indices { references[index]._withUnsafeGuaranteedRef(body) }
        }
    }

    /// The keys of the objects, in their order.
    var keys: [Int64] { mapUncounted { $0.row.key } }

    /// The references to the objects, in their order.
    var references: [ObjectReference] { mapUncounted { ObjectReference($0) } }

    @inline(__always) private func mapUncounted<Result>(_ transform: (ManagedObject) -> Result) -> [Result] {
        [Result](filling: count) { results, count in
            // Kept in a variable, since the array's count lies in memory.
            var next = 0
            forEachUncounted { object in
                results.initializeElement(at: next, to: transform(object))
                next += 1
            }
            count = next
        }
    }
}
