import BenchHarness
import Dispatch
import ManagedStore

/// One asynchronous fetch request, delivered on the context's queue.
///
/// Unchecked because only the context's queue uses its state until the waiting caller wakes up.
final class ManagedAsynchronousFetch<Mapping: ObjectMapping>: @unchecked Sendable {
    private let mapping: Mapping
    private let context: ManagedObjectContext
    private let monitor: PhaseMonitor
    private let done = DispatchSemaphore(value: 0)
    private var objects: [Mapping.Object] = []
    private var failure: StoreError?

    init(_ mapping: Mapping, _ context: ManagedObjectContext, _ monitor: PhaseMonitor) {
        self.mapping = mapping
        self.context = context
        self.monitor = monitor
    }

    /// Runs the fetch and waits until its objects are delivered. A cancelled fetch has none.
    func run(_ request: FetchRequest<Mapping.Object>) throws -> FetchedObjects<Mapping> {
        let asynchronous = AsynchronousFetchRequest(fetchRequest: request) { [self] result in deliver(result) }
        try context.performAndWait {
            let result = try context.execute(asynchronous)
            monitor.onCancel { result.cancel() }
            result.progressHandler = { [monitor] found in monitor.progress(found) }
        }
        done.wait()
        if let failure { throw failure }
        return FetchedObjects(mapping, objects, in: context)
    }

    private func deliver(_ result: AsynchronousFetchResult<Mapping.Object>) {
        monitor.completed()
        objects = result.finalResult ?? []
        failure = result.operationError
        monitor.delivered()
        done.signal()
    }
}
