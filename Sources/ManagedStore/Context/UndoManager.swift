/// Records the states of a context's objects, step by step, so that a person can undo and redo.
///
/// ```swift
/// context.undoManager = UndoManager()
/// item.done = true
/// context.undo()  // not done
/// context.redo()  // done
/// ```
///
/// A step covers the changes between two calls to ``ManagedObjectContext/processPendingChanges()``, for example one
/// block passed to `perform`. Steps survive a save: undoing makes a new unsaved change. The effects of a merge, a
/// refresh or a batch request are no step.
///
/// Foundation has no undo manager outside Apple's platforms. This one uses Foundation's names, serves one context, and
/// is used on that context's queue.
public final class UndoManager {
    /// The maximum number of steps; 0 sets no limit.
    public var levelsOfUndo = 0 {
        didSet { trim() }
    }
    /// Whether processing pending changes ends a step; if false, only the end of a group does.
    public var groupsByEvent = true
    /// The number of open groups.
    public private(set) var groupingLevel = 0
    /// Whether `undo` is running.
    public private(set) var isUndoing = false
    /// Whether `redo` is running.
    public private(set) var isRedoing = false
    /// Whether changes are recorded.
    public var isUndoRegistrationEnabled: Bool { disabled == 0 }

    weak var context: ManagedObjectContext?
    private var undoSteps: [UndoStep] = []
    private var redoSteps: [UndoStep] = []
    private var current = UndoStep()
    private var disabled = 0

    /// Makes an undo manager without steps; assign it to a context.
    public init() {}

    /// Whether there is a step to undo.
    public var canUndo: Bool { !undoSteps.isEmpty || !current.isEmpty }
    /// Whether there is a step to redo.
    public var canRedo: Bool { !redoSteps.isEmpty && current.isEmpty }

    /// Opens a group. All changes until its end form one step.
    public func beginUndoGrouping() {
        context?.processPendingChanges()
        groupingLevel += 1
    }

    /// Ends a group. Traps if none is open.
    public func endUndoGrouping() {
        precondition(groupingLevel > 0, "endUndoGrouping() has no matching beginUndoGrouping(); call that first")
        context?.processPendingChanges()
        groupingLevel -= 1
        if groupingLevel == 0 { endStep() }
    }

    /// Stops recording until `enableUndoRegistration()` was called equally often.
    public func disableUndoRegistration() {
        context?.processPendingChanges()
        disabled += 1
    }

    /// Resumes recording. Traps if recording is not disabled.
    public func enableUndoRegistration() {
        precondition(
            disabled > 0, "enableUndoRegistration() has no matching disableUndoRegistration(); call that first")
        context?.processPendingChanges()
        disabled -= 1
    }

    /// Undoes the last step; does nothing if there is none.
    public func undo() {
        context?.processPendingChanges()
        endStep()
        guard let step = undoSteps.popLast() else { return }
        isUndoing = true
        defer { isUndoing = false }
        if let inverse = apply(step) { redoSteps.append(inverse) }
    }

    /// Redoes the step undone last; does nothing if there is none, or if changes were made since.
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

    /// Applies a step; returns the step that reverts it.
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

/// Calls from the context.
extension UndoManager {
    /// Ends a step if groups follow events. The context calls this after it processed pending changes.
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
    /// Undoes the last step; does nothing without an undo manager.
    public func undo() {
        checkQueue()
        undoManager?.undo()
    }

    /// Redoes the step undone last; does nothing without an undo manager.
    public func redo() {
        checkQueue()
        undoManager?.redo()
    }
}
