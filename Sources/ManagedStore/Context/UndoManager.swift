/// Remembers what the objects of a context were, step by step, so that a person can go back and forth.
///
/// ```swift
/// context.undoManager = UndoManager()
/// item.done = true
/// context.undo()  // not done
/// context.redo()  // done
/// ```
///
/// A step is what changed between two processings of pending changes: a block given to `perform`, for one. Steps
/// survive a save: going back is a change like any other, to be saved again. What a merge, a refresh or a batch request
/// brings is no step. Off Apple's platforms Foundation has no undo manager; this one has its names, for one context, on
/// whose queue it is used.
public final class UndoManager {
    /// How many steps are kept; 0 sets no limit.
    public var levelsOfUndo = 0 {
        didSet { trim() }
    }
    /// Whether a step ends by itself whenever pending changes are processed; otherwise groups say where one ends.
    public var groupsByEvent = true
    /// How many groups are open.
    public private(set) var groupingLevel = 0
    /// Whether `undo` is at work.
    public private(set) var isUndoing = false
    /// Whether `redo` is at work.
    public private(set) var isRedoing = false
    /// Whether changes are remembered.
    public var isUndoRegistrationEnabled: Bool { disabled == 0 }

    weak var context: ManagedObjectContext?
    private var undoSteps: [UndoStep] = []
    private var redoSteps: [UndoStep] = []
    private var current = UndoStep()
    private var disabled = 0

    /// Makes an undo manager with nothing to undo, to be given to a context.
    public init() {}

    /// Whether there is a step to undo.
    public var canUndo: Bool { !undoSteps.isEmpty || !current.isEmpty }
    /// Whether there is an undone step to do again.
    public var canRedo: Bool { !redoSteps.isEmpty && current.isEmpty }

    /// Opens a group: what changes until it ends is one step.
    public func beginUndoGrouping() {
        context?.processPendingChanges()
        groupingLevel += 1
    }

    /// Ends a group. Traps when none is open.
    public func endUndoGrouping() {
        precondition(groupingLevel > 0, "endUndoGrouping() was called without a beginUndoGrouping() before it")
        context?.processPendingChanges()
        groupingLevel -= 1
        if groupingLevel == 0 { endStep() }
    }

    /// Stops remembering until `enableUndoRegistration()` was called as often.
    public func disableUndoRegistration() {
        context?.processPendingChanges()
        disabled += 1
    }

    /// Remembers again. Traps when it was not disabled.
    public func enableUndoRegistration() {
        precondition(disabled > 0, "enableUndoRegistration() was called without a disableUndoRegistration() before it")
        context?.processPendingChanges()
        disabled -= 1
    }

    /// Takes the last step back; does nothing if there is none.
    public func undo() {
        context?.processPendingChanges()
        endStep()
        guard let step = undoSteps.popLast() else { return }
        isUndoing = true
        defer { isUndoing = false }
        if let inverse = apply(step) { redoSteps.append(inverse) }
    }

    /// Takes the last undone step again; does nothing if there is none, or something was changed since.
    public func redo() {
        context?.processPendingChanges()
        endStep()
        guard let step = redoSteps.popLast() else { return }
        isRedoing = true
        defer { isRedoing = false }
        if let inverse = apply(step) { undoSteps.append(inverse) }
    }

    /// Forgets all steps.
    public func removeAllActions() {
        (undoSteps, redoSteps, current) = ([], [], UndoStep())
    }

    /// Carries out a step; returns the one that takes it back.
    private func apply(_ step: UndoStep) -> UndoStep? {
        guard let context else { return nil }
        step.apply(in: context)
        context.processPendingChanges()
        defer { current = UndoStep() }
        return current.isEmpty ? nil : current
    }

    private func trim() {
        if levelsOfUndo > 0, undoSteps.count > levelsOfUndo { undoSteps.removeFirst(undoSteps.count - levelsOfUndo) }
    }
}

/// What the context tells.
extension UndoManager {
    /// Pending changes were processed.
    func didProcessChanges() {
        if groupsByEvent, groupingLevel == 0, !isUndoing, !isRedoing { endStep() }
    }

    private func endStep() {
        guard !current.isEmpty else { return }
        undoSteps.append(current)
        current = UndoStep()
        redoSteps = []
        trim()
    }

    func didInsert(_ object: ManagedObject) {
        if isUndoRegistrationEnabled { current.didInsert(object) }
    }

    func willDelete(_ object: ManagedObject) {
        if isUndoRegistrationEnabled { current.willDelete(object) }
    }

    func willChange(_ object: ManagedObject) {
        if isUndoRegistrationEnabled { current.willChange(object) }
    }

    func willChange(_ relationship: ResolvedRelationship, of object: ManagedObject) {
        if isUndoRegistrationEnabled { current.willChange(relationship, of: object) }
    }
}

extension ManagedObjectContext {
    /// Takes the last step back; does nothing without an undo manager.
    public func undo() {
        checkQueue()
        undoManager?.undo()
    }

    /// Takes the last undone step again; does nothing without an undo manager.
    public func redo() {
        checkQueue()
        undoManager?.redo()
    }
}
