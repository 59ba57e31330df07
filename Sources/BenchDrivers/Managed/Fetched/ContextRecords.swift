import BenchHarness
import Dispatch
import ManagedStore

/// Records that are objects of a context.
protocol ContextRecords: FetchedRecords {
    var context: ManagedObjectContext { get }
}

extension ContextRecords {
    /// Runs `body` as the context's code: outside of it, each property looks the context up.
    func perform(on queue: DispatchQueue, _ body: () throws -> Void) throws { try context.performAndWait(body) }
}
