import Foundation

/// An object of a context: a row of the store, or one that will be.
///
/// An object belongs to the queue of its context, and so is not `Sendable`; what crosses queues is its `objectID`.
/// Subclass it, declare an ``Attribute`` per property and list them in `attributes`; or use it as it is through
/// `value(forKey:)`.
///
/// In memory an object is a pointer to its row, which lies in a page that many objects share: 32 bytes each.
open class ManagedObject {
    /// The row's address in the lower 48 bits, the state above. The page is found from the row, and retained.
    @exclusivity(unchecked) @usableFromInline final var rowAndState: UInt

    /// Adopts a row. Not to be called or overridden by subclasses: make objects with `init(context:)`.
    public required init(_page page: RowPage, row: RowPointer, state: ObjectState) {
        rowAndState = Self.packed(row, page.isWatched ? state.union(.isWatched) : state)
        _ = Unmanaged.passRetained(page)
    }

    /// Makes a new object of this class's entity in `context`, on whose queue it must be called.
    ///
    /// Traps when the class is not in the context's model.
    public convenience init(context: borrowing ManagedObjectContext) {
        let (page, row) = context.rowForNewObject(of: Self.self)
        self.init(_page: page, row: row, state: .newlyInserted)
        context.registerInserted(self)
    }

    deinit {
        let page = unmanagedPage
        if state.contains(.registered) { page._withUnsafeGuaranteedRef { unregister($0) } }
        page.release()
    }

    private final func unregister(_ page: RowPage) {
        page.unmanagedRegistry?._withUnsafeGuaranteedRef { registry in
            registry.remove(self, page.rootIndex)
            if state.contains(.hasRelated) { registry.noteOrphan(ObjectReference(self)) }
        }
    }

    /// The name of the entity that this class declares; the class's own name unless overridden.
    open class var entityName: String { String(describing: self) }

    /// Whether the entity that this class declares has no objects of its own, only those of subentities.
    ///
    /// A subclass inherits what is said here, so that an abstract class speaks for itself alone:
    /// `override class var isAbstract: Bool { self == Shape.self }`.
    open class var isAbstract: Bool { false }

    /// The checked keys of the entity that this class declares. A subentity's class may list just those that it adds.
    open class var attributes: [any AttributeKey] { [] }

    /// The checked keys of the relationships of the entity that this class declares. A subentity's class may list just
    /// those that it adds.
    open class var relationships: [any RelationshipKey] { [] }

    /// Lists of attributes whose values, taken together, no two objects may have in common; see
    /// ``EntityDescription/uniquenessConstraints``.
    open class var uniquenessConstraints: [[String]] { [] }

    /// Whether a save calls ``validateValue(_:forKey:)`` for every attribute of every object it saves; false unless
    /// overridden.
    ///
    /// A class that overrides `validateValue(_:forKey:)` says `true` here: the method costs a boxed value each time,
    /// which a million objects of a class that has nothing to say should not pay.
    open class var validatesValues: Bool { false }

    /// Called by a save before it writes a new object. Checks every attribute's value.
    ///
    /// An override calls `super`, and throws ``StoreError/validation(_:code:object:key:)`` for what else is wrong. It
    /// may set the object's own attributes before, but should not change other objects: these may have been validated
    /// already.
    ///
    /// - Throws: `StoreError` with a validation code, or with `validationMultipleErrors`.
    open func validateForInsert() throws(StoreError) { try validateAttributes() }

    /// Called by a save before it writes a changed object. Checks every attribute's value, changed or not.
    ///
    /// - Throws: as ``validateForInsert()``.
    open func validateForUpdate() throws(StoreError) { try validateAttributes() }

    /// Called by a save before it deletes an object. Objects to the deletion if a relationship whose delete rule is
    /// deny still leads to objects that are not deleted.
    ///
    /// An override calls `super`.
    ///
    /// - Throws: `StoreError` with `validationRelationshipDeniedDelete`; as ``validateForInsert()``.
    open func validateForDelete() throws(StoreError) {
        guard let context = managedObjectContext else { return }
        try StoreError.throwAll(deletionViolations(in: context))
    }

    /// Whether `value` may be saved as the value of the attribute called `key`. Changes nothing.
    ///
    /// - Throws: `StoreError` with a validation code, or with `validationMultipleErrors`; with `unknownKey` or
    ///   `wrongType`.
    open func validateValue(_ value: StoredValue, forKey key: String) throws(StoreError) {
        let position = try entity.position(of: key)
        try StoreError.throwAll(violations(try entity.storedValue(value, at: position), at: position))
    }

    /// The value of an attribute. Reading fires a fault; writing marks the object as updated.
    ///
    /// A required attribute that has no value yet reads as its type's zero, and so does each attribute of a fault that
    /// cannot be read: see ``ManagedObjectContext/readingError``, and ``value(of:)-(Attribute<Value>)``, which throws.
    /// What is set on an object that has left its context, or is deleted, is never saved. Traps when `attribute`
    /// belongs to another entity.
    @inlinable public final subscript<Value: AttributeValue>(attribute: Attribute<Value>) -> Value {
        get {
            if !state.isReadyForReading { prepareForReading() }
            // The object keeps its page, which nothing replaces meanwhile: no need to count references for each value.
            return unmanagedPage._withUnsafeGuaranteedRef { page in
                Value._load(page.layout.field(of: attribute), of: row, in: page)
            }
        }
        // Within its caller a setter need not count a reference to the attribute.
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

    /// What the context knows of the object.
    @inlinable final var state: ObjectState {
        @inline(__always) get { ObjectState(rawValue: UInt16(truncatingIfNeeded: rowAndState >> 48)) }
        @inline(__always) set { rowAndState = Self.packed(row, newValue) }
    }

    /// The page that the row lies in, kept by the object.
    final var page: RowPage { unmanagedPage.takeUnretainedValue() }

    /// The same, without counting a reference.
    @inlinable final var unmanagedPage: Unmanaged<RowPage> {
        @inline(__always) get { RowPage.page(of: row) }
    }

    /// The row with its page; valid while the object lives and does not change.
    final var rowReference: RowReference { RowReference(page: unmanagedPage, row: row) }
    /// The position of the object's entity in the model.
    final var entityIndex: Int { unmanagedPage._withUnsafeGuaranteedRef { $0.entityIndex } }
    /// The position of the entity that the object's entity descends from at last.
    final var rootIndex: Int { unmanagedPage._withUnsafeGuaranteedRef { $0.rootIndex } }
    /// Whether the object has to move before it is given more strings and data.
    @inlinable final var isArenaFull: Bool { unmanagedPage._withUnsafeGuaranteedRef { $0.isArenaFull } }

    /// Adopts another row with the same key.
    final func adopt(_ page: RowPage, _ row: RowPointer) {
        let old = unmanagedPage
        _ = Unmanaged.passRetained(page)
        rowAndState = Self.packed(row, state)
        old.release()
    }

    /// Adopts a new row that replaces the present one. The object's reference to the old page is the new row's from now
    /// on.
    final func adopt(_ page: RowPage, replacement row: RowPointer) {
        let replaced = rowReference
        _ = Unmanaged.passRetained(page)
        rowAndState = Self.packed(row, state)
        page.takeOrigin(replaced, of: row)
    }
}

/// What a context knows of one of its objects.
public struct ObjectState: OptionSet, Sendable {
    /// The bits.
    public let rawValue: UInt16
    /// Makes a state of its bits.
    @inlinable public init(rawValue: UInt16) { self.rawValue = rawValue }

    /// The object was not read yet.
    @inlinable static var isFault: ObjectState { ObjectState(rawValue: 1) }
    /// The row holds the key alone; the values have to come from the store.
    static let isHollow = ObjectState(rawValue: 2)
    /// Made in this context and not saved.
    static let inserted = ObjectState(rawValue: 4)
    /// Changed and not saved.
    static let updated = ObjectState(rawValue: 8)
    /// Deleted and not saved.
    static let deleted = ObjectState(rawValue: 16)
    /// The row is this object's own and may be written.
    @inlinable static var isWritable: ObjectState { ObjectState(rawValue: 32) }
    /// Among the changes that the next objects-did-change will tell of.
    @inlinable static var isReported: ObjectState { ObjectState(rawValue: 64) }
    /// No longer part of its context: deleted and saved, rolled back, or left behind by `reset`.
    static let isGone = ObjectState(rawValue: 128)
    /// In the registry's table under its key.
    static let registered = ObjectState(rawValue: 256)

    /// New, and an objects-did-change has told of it.
    static let wasReported = ObjectState(rawValue: 512)

    /// The context may know objects that a to-many relationship leads to.
    static let hasRelated = ObjectState(rawValue: 1024)

    /// Every use is to be checked for the right queue.
    @inlinable static var isWatched: ObjectState { ObjectState(rawValue: 2048) }

    static let newlyInserted: ObjectState = [.inserted, .isWritable, .isReported]
    static let pending: ObjectState = [.inserted, .updated, .deleted]

    /// Whether a write needs no bookkeeping.
    @inlinable var isReadyForWriting: Bool {
        rawValue & (1 | 32 | 64 | 2048) == (32 | 64)
    }

    /// Whether a read needs no bookkeeping.
    @inlinable var isReadyForReading: Bool {
        rawValue & (1 | 2048) == 0
    }
}

extension ManagedObject {
    /// The object's entity.
    public final var entity: EntityDescription { page.entity }

    /// The context that the object belongs to; nil after the object was deleted and saved, or its context is gone.
    public final var managedObjectContext: ManagedObjectContext? {
        state.contains(.isGone) ? nil : unmanagedPage._withUnsafeGuaranteedRef { $0.registry?.context }
    }

    /// The object's ID: temporary until it is saved or `obtainPermanentIDs(for:)` is called.
    public final var objectID: ManagedObjectID {
        ManagedObjectID(source: page.source, key: row.key)
    }

    /// Whether the object's values have not been read yet.
    public final var isFault: Bool { state.contains(.isFault) }
    /// Whether the object was made in its context and not saved yet.
    public final var isInserted: Bool { state.contains(.inserted) }
    /// Whether the object was changed and not saved yet.
    public final var isUpdated: Bool { state.contains(.updated) }
    /// Whether the object will be deleted by the next save.
    public final var isDeleted: Bool { state.contains(.deleted) }
    /// Whether the object is inserted, updated or deleted.
    public final var hasChanges: Bool { !state.isDisjoint(with: .pending) }

    /// Checks that the object is used where it may be, and fires a fault.
    @usableFromInline final func prepareForReading() {
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
    /// Feeds the instance's identity.
    public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
    /// The entity and the ID.
    public var description: String { "<\(entity.name): \(objectID)>" }
}
