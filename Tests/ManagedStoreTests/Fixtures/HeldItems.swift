import Locking
import ManagedStore

/// Items that a test keeps alive, or hands from queue to queue.
struct HeldItems: @unchecked Sendable {
    // Unchecked: a test touches them on their context's queue, or breaks that rule on purpose.
    var items: [Item] = []
}
