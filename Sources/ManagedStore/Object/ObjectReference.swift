/// Identifies an object within a context; the value of a to-one relationship in a row.
struct ObjectReference: Hashable, Sendable {
    /// The position of the object's entity in the model.
    let entity: Int32
    /// The key; negative while it is temporary.
    let key: Int64

    init(entity: Int, key: Int64) {
        self.entity = Int32(entity)
        self.key = key
    }

    init(_ object: ManagedObject) {
        self.init(entity: object.entityIndex, key: object.row.key)
    }

    func _rawHashValue(seed: Int) -> Int { QuickHash.value(of: UInt64(bitPattern: key), Int(entity), seed: seed) }
}

extension ManagedObject {
    /// Returns the reference in a field of the object's row.
    @inline(__always) final func reference(at position: Int) -> ObjectReference? {
        unmanagedPage._withUnsafeGuaranteedRef { $0.layout.fields[position].reference(in: row) }
    }

    /// Returns the reference in a field as the store has it, as far as the context knows; nil for a new object.
    final func committedReference(at position: Int) -> ObjectReference? {
        if state.contains(.inserted) { return nil }
        return unmanagedPage._withUnsafeGuaranteedRef { page in
            let row = state.contains(.isWritable) ? page.origin(of: row)?.row : row
            return row.flatMap { page.layout.fields[position].reference(in: $0) }
        }
    }

    /// Writes a reference into a field of the object's row, which is writable.
    @inline(__always) final func setReference(_ reference: ObjectReference?, at position: Int) {
        unmanagedPage._withUnsafeGuaranteedRef { $0.layout.fields[position].setReference(reference, of: row) }
    }
}

extension RowField {
    /// Returns the reference in a field of type `objectID`.
    @inline(__always) func reference(in row: RowPointer) -> ObjectReference? {
        if isNull(in: row) { return nil }
        return ObjectReference(
            entity: Int(row.load(fromByteOffset: offset + 8, as: Int32.self)),
            key: row.load(fromByteOffset: offset, as: Int64.self))
    }

    @inline(__always) func setReference(_ reference: ObjectReference?, of row: RowPointer) {
        row.storeBytes(of: reference?.key ?? 0, toByteOffset: offset, as: Int64.self)
        row.storeBytes(of: Int64(reference?.entity ?? 0), toByteOffset: offset + 8, as: Int64.self)
        setNull(reference == nil, of: row)
    }
}
