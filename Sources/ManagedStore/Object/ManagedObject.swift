import Foundation

/// An object of a context: a row of the store, or a future row.
///
/// An object belongs to the queue of its context and is therefore not `Sendable`; pass its `objectID` to other queues.
/// Subclass it, declare an ``Attribute`` for each property and list them in `attributes`; or use it directly through
/// `value(forKey:)`.
///
/// In memory, an object is a pointer to its row, which lies in a page that many objects share. It takes 32 bytes.
open class ManagedObject {
    /// The row's address in the lower 48 bits, the state above. The object finds its page from the row, and retains it.
    @exclusivity(unchecked) @usableFromInline final var rowAndState: UInt

    /// Adopts a row. Neither call nor override it in subclasses; make objects with `init(context:)`.
    public required init(_page page: RowPage, row: RowPointer, state: ObjectState) {
        rowAndState = Self.packed(row, page.isWatched ? state.union(.isWatched) : state)
        _ = Unmanaged.passRetained(page)
    }

    /// Inserts a new object of this class's entity into `context`. Call it on the context's queue.
    ///
    /// Traps if the class is not in the context's model.
    public convenience init(context: borrowing ManagedObjectContext) {
        let (page, row) = context.rowForNewObject(of: Self.self)
        self.init(_page: page, row: row, state: .newlyInserted)
        context.registerInserted(self)
    }

    deinit {
        let page = unmanagedPage
        if !state.isDisjoint(with: [.registered, .hasRelated]) { page._withUnsafeGuaranteedRef { unregister($0) } }
        page.release()
    }

    private final func unregister(_ page: RowPage) {
        page.unmanagedRegistry?._withUnsafeGuaranteedRef { registry in
            if state.contains(.registered) { registry.remove(self, page.rootIndex) }
            // Also where only the context held a new object until its save: it was not registered then.
            if state.contains(.hasRelated) { registry.noteOrphan(ObjectReference(self)) }
        }
    }

    /// The name of the entity that this class declares: the class's own name unless overridden.
    open class var entityName: String { String(describing: self) }

    /// Whether the entity that this class declares has no objects of its own, only objects of subentities.
    ///
    /// Subclasses inherit an override. An abstract class therefore restricts it to itself: `override class var
    /// isAbstract: Bool { self == Shape.self }`.
    open class var isAbstract: Bool { false }

    /// The checked keys of the entity that this class declares. The class of a subentity may list only the keys that it
    /// adds.
    open class var attributes: [any AttributeKey] { [] }

    /// The checked keys of the relationships of the entity that this class declares. The class of a subentity may list
    /// only those that it adds.
    open class var relationships: [any RelationshipKey] { [] }

    /// Lists of attributes whose combined values must be unique; see ``EntityDescription/uniquenessConstraints``.
    open class var uniquenessConstraints: [[String]] { [] }

    /// Lists of attributes with an index; see ``EntityDescription/fetchIndexes``.
    open class var fetchIndexes: [[String]] { [] }

    /// Whether a save calls ``validateValue(_:forKey:)`` for every attribute of every object that it writes; false
    /// unless overridden.
    ///
    /// A class that overrides `validateValue(_:forKey:)` returns `true` here. Each call costs a boxed value, and
    /// classes without an override avoid this cost.
    open class var validatesValues: Bool { false }

    /// Validates a new object before a save writes it. Checks every attribute's value.
    ///
    /// An override calls `super`, and throws ``StoreError/validation(_:code:object:key:)`` for its own violations. It
    /// may set the object's own attributes first, but should not change other objects, which may be validated already.
    ///
    /// - Throws: `StoreError` with a validation code, or with `validationMultipleErrors`.
    open func validateForInsert() throws(StoreError) { try validateAttributes() }

    /// Validates a changed object before a save writes it. Checks every attribute's value, changed or not.
    ///
    /// - Throws: the errors of ``validateForInsert()``.
    open func validateForUpdate() throws(StoreError) { try validateAttributes() }

    /// Validates the deletion of an object before a save deletes it. Throws if a relationship with the delete rule deny
    /// still leads to objects that are not deleted.
    ///
    /// An override calls `super`.
    ///
    /// - Throws: `StoreError` with `validationRelationshipDeniedDelete`; the errors of ``validateForInsert()``.
    open func validateForDelete() throws(StoreError) {
        guard let context = managedObjectContext else { return }
        try StoreError.throwAll(deletionViolations(in: context))
    }

    /// Checks whether the attribute `key` can be saved with `value`. Changes nothing.
    ///
    /// - Throws: `StoreError` with a validation code, or with `validationMultipleErrors`; with `unknownKey` or
    ///   `wrongType`.
    open func validateValue(_ value: StoredValue, forKey key: String) throws(StoreError) {
        let position = try entity.position(of: key)
        try StoreError.throwAll(violations(try entity.storedValue(value, at: position), at: position))
    }

    /// The value of an attribute. Reading fires a fault; writing marks the object as updated.
    ///
    /// A required attribute without a value reads as its type's zero. So does each attribute of a fault that cannot be
    /// read: see ``ManagedObjectContext/readingError``, and ``value(of:)-(Attribute<Value>)``, which throws. A value
    /// set on an object that is deleted or has left its context is never saved. Traps if `attribute` belongs to another
    /// entity.
    @inlinable public final subscript<Value: AttributeValue>(attribute: Attribute<Value>) -> Value {
        get {
            if !state.isReadyForReading { prepareForReading() }
            // The object keeps its page, which nothing replaces meanwhile, so each value needs no reference counting.
            return unmanagedPage._withUnsafeGuaranteedRef { page in
                Value._load(page.layout.field(of: attribute), of: row, in: page)
            }
        }
        // A setter that is inlined into its caller need not count a reference to the attribute.
        @inline(__always) set {
            if !state.isReadyForWriting || !Value._isOfFixedSize && isArenaFull { prepareForWriting() }
            unmanagedPage._withUnsafeGuaranteedRef { page in
                newValue._store(to: page.layout.field(of: attribute), of: row, in: page)
            }
        }
    }
}

// MARK: - Row, page and state

extension ManagedObject {
    @usableFromInline static var addressMask: UInt { (1 << 48) - 1 }

    @inlinable @inline(__always) static func packed(_ row: RowPointer, _ state: ObjectState) -> UInt {
        UInt(bitPattern: row.address) | UInt(state.rawValue) << 48
    }

    /// The object's row.
    @inlinable final var row: RowPointer {
        @inline(__always) get {
            RowPointer(UnsafeMutableRawPointer(bitPattern: rowAndState & Self.addressMask).unsafelyUnwrapped)
        }
    }

    /// The context's knowledge of the object.
    @inlinable final var state: ObjectState {
        @inline(__always) get { ObjectState(rawValue: UInt16(truncatingIfNeeded: rowAndState >> 48)) }
        @inline(__always) set { rowAndState = Self.packed(row, newValue) }
    }

    /// The page with the row; the object keeps it alive.
    final var page: RowPage { unmanagedPage.takeUnretainedValue() }

    /// The page, without reference counting.
    @inlinable final var unmanagedPage: Unmanaged<RowPage> {
        @inline(__always) get { RowPage.page(of: row) }
    }

    /// The row with its page; valid while the object lives and does not change.
    final var rowReference: RowReference { RowReference(row) }
    /// The position of the object's entity in the model.
    @inline(__always) final var entityIndex: Int { unmanagedPage._withUnsafeGuaranteedRef { $0.entityIndex } }
    /// The position of the root entity of the object's entity.
    final var rootIndex: Int { unmanagedPage._withUnsafeGuaranteedRef { $0.rootIndex } }
    /// Whether the object has to move to another page before it takes more strings and data.
    @inlinable final var isArenaFull: Bool { unmanagedPage._withUnsafeGuaranteedRef { $0.isArenaFull } }

    /// Adopts another row with the same key.
    final func adopt(_ page: RowPage, _ row: RowPointer) {
        let old = unmanagedPage
        _ = Unmanaged.passRetained(page)
        rowAndState = Self.packed(row, state)
        old.release()
    }

    /// Adopts a new row that replaces the current one. The object's reference to the old page passes to the new row.
    final func adopt(_ page: RowPage, replacement row: RowPointer) {
        let replaced = rowReference
        _ = Unmanaged.passRetained(page)
        rowAndState = Self.packed(row, state)
        page.takeOrigin(replaced, of: row)
    }
}

extension ManagedObject {
    /// The object's entity.
    public final var entity: EntityDescription { page.entity }

    /// The context that the object belongs to; nil after its deletion was saved, or if the context no longer exists.
    public final var managedObjectContext: ManagedObjectContext? {
        state.contains(.isGone) ? nil : unmanagedPage._withUnsafeGuaranteedRef { $0.registry?.context }
    }

    /// The object's ID: temporary until it is saved or `obtainPermanentIDs(for:)` is called.
    public final var objectID: ManagedObjectID {
        ManagedObjectID(source: page.source, key: row.key)
    }

    /// Whether the object's values have not been read yet.
    public final var isFault: Bool { state.contains(.isFault) }
    /// Whether the object was inserted into its context and is not saved yet.
    public final var isInserted: Bool { state.contains(.inserted) }
    /// Whether the object was changed and not saved yet.
    public final var isUpdated: Bool { state.contains(.updated) }
    /// Whether the next save will delete the object.
    public final var isDeleted: Bool { state.contains(.deleted) }
    /// Whether the object is inserted, updated or deleted.
    public final var hasChanges: Bool { !state.isDisjoint(with: .pending) }

    /// The object's row as the store has it, as far as this context knows; nil for a new object.
    final var committedRow: RowReference? {
        if state.contains(.inserted) { return nil }
        return state.contains(.isWritable)
            ? unmanagedPage._withUnsafeGuaranteedRef { $0.origin(of: row) } : rowReference
    }
}

extension ManagedObject: Hashable, CustomStringConvertible {
    /// Whether both are the same instance; a context has one instance per ID.
    public static func == (left: ManagedObject, right: ManagedObject) -> Bool { left === right }
    /// Hashes the instance's identity.
    public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
    /// Hashes the instance's identity for a set or a dictionary.
    public final func _rawHashValue(seed: Int) -> Int {
        QuickHash.value(of: UInt64(UInt(bitPattern: Unmanaged.passUnretained(self).toOpaque())), seed: seed)
    }
    /// The entity and the ID.
    public var description: String { "<\(entity.name): \(objectID)>" }
}
