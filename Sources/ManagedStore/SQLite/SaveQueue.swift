import Dispatch
import Locking

/// The small saves of the contexts of one store, which take turns to write.
///
/// One thread leads. It writes its own save, and in the same transaction those of the threads that wait by then: they
/// take one commit and one sync. The next one that waits leads after it. A save that comes alone costs no more than
/// without a queue.
final class SaveQueue: Sendable {
    /// What a thread with a save is to do.
    enum Turn {
        /// Commit it, with those that wait, and then end the turn.
        case lead
        /// Commit it alone: it failed among others, or another one of them did.
        case alone
        /// Nothing: another thread has committed it.
        case committed(PermanentKeys)
    }

    private struct State {
        var isLed = false
        var waiting: [WaitingSave] = []
    }

    /// Saves of many rows would delay the others.
    static let mostRows = 256
    private let state = Locked(State())

    /// Returns whether a save may wait in the queue. The others do not, and write as soon as the writer is free.
    func accepts(_ changes: ChangeSet) -> Bool {
        if changes.metadata != nil { return false }
        var rows = 0
        for entity in changes.entities.indices { rows += changes.entities[entity].count }
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

    /// Whether a thread leads, and the number of saves that wait.
    var length: (isLed: Bool, waiting: Int) { state.withLock { ($0.isLed, $0.waiting.count) } }

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
    private let turn = Locked(SaveQueue.Turn.lead)
    private let isFinished = DispatchSemaphore(value: 0)

    init(_ changes: ChangeSet) { self.changes = changes }

    /// Waits until another thread tells what to do.
    func wait() -> SaveQueue.Turn {
        isFinished.wait()
        return turn.value
    }

    /// Tells the thread what to do.
    func finish(_ turn: SaveQueue.Turn) {
        self.turn.exchange(turn)
        isFinished.signal()
    }
}
