import Dispatch
import Locking

/// The small saves of the contexts of one store, which take turns to write.
///
/// One thread leads. It commits its own save, and then those of the threads that wait meanwhile: several in one
/// transaction, which takes one commit and one sync. The writer thus never waits for a thread to wake up. A save that
/// comes alone costs no more than without a queue.
final class SaveQueue: Sendable {
    /// What a thread with a save is to do.
    enum Turn {
        /// Commit it, then those that wait, and then end the turn.
        case lead
        /// Commit it alone, since it failed among others.
        case alone
        /// Nothing: another thread has committed it.
        case committed(PermanentKeys)
    }

    private struct State {
        var isLed = false
        var waiting: [WaitingSave] = []
    }

    /// Larger saves would delay the others.
    private static let mostRows = 256
    private let state = Locked(State())

    /// Returns whether a save may wait in the queue. The others do not, and write as soon as the writer is free.
    func accepts(_ changes: ChangeSet) -> Bool {
        if changes.metadata != nil { return false }
        let rows = changes.entities.reduce(0) { $0 + $1.inserts.count + $1.updates.count + $1.deletes.count }
        return rows + changes.links.count + changes.orders.count <= Self.mostRows
    }

    /// Waits until a save has its turn, or is committed.
    func turn(for changes: ChangeSet) -> Turn {
        let save: WaitingSave? = state.withLock { state in
            guard state.isLed else {
                state.isLed = true
                return nil
            }
            let save = WaitingSave(changes)
            state.waiting.append(save)
            return save
        }
        return save?.wait() ?? .lead
    }

    /// The number of saves that wait.
    var waitingCount: Int { state.withLock { $0.waiting.count } }
    /// Whether a thread leads.
    var isLed: Bool { state.withLock { $0.isLed } }

    /// Returns a save that waits, for the thread that leads.
    func next() -> WaitingSave? {
        state.withLock { $0.waiting.isEmpty ? nil : $0.waiting.removeFirst() }
    }

    /// Ends the turn of the thread that leads. The next one that waits takes over.
    func endTurn() {
        let next = state.withLock { state -> WaitingSave? in
            if !state.waiting.isEmpty { return state.waiting.removeFirst() }
            state.isLed = false
            return nil
        }
        next?.finish(.lead)
    }
}

/// A save whose thread waits in a queue.
final class WaitingSave: @unchecked Sendable {
    // Unchecked: the thread of the changes waits while another one reads them.
    let changes: ChangeSet
    private let turn = Locked<SaveQueue.Turn?>(nil)
    private let isFinished = DispatchSemaphore(value: 0)

    init(_ changes: ChangeSet) { self.changes = changes }

    func wait() -> SaveQueue.Turn {
        while true {
            isFinished.wait()
            if let turn = turn.value { return turn }
        }
    }

    /// Tells the thread what to do.
    func finish(_ turn: SaveQueue.Turn) {
        self.turn.exchange(turn)
        isFinished.signal()
    }
}
