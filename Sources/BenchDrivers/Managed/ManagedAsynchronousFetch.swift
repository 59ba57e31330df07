import BenchHarness
import Dispatch
import ManagedStore

/// One asynchronous fetch request: delivered on the context's queue, then touched there in slices.
///
/// Unchecked because only the context's queue uses its state until the waiting caller wakes up.
final class ManagedAsynchronousFetch<Mapping: ObjectMapping>: @unchecked Sendable {
    private static var slice: Int { 4_096 }

    private let mapping: Mapping
    private let context: ManagedObjectContext
    private let touches: Bool
    private let monitor: PhaseMonitor
    private let done = DispatchSemaphore(value: 0)
    private var objects: [Mapping.Object] = []
    private var failure: StoreError?

    init(_ mapping: Mapping, _ context: ManagedObjectContext, touches: Bool, _ monitor: PhaseMonitor) {
        self.mapping = mapping
        self.context = context
        self.touches = touches
        self.monitor = monitor
    }

    /// Runs the fetch and waits until its objects are delivered and touched. A cancelled fetch has none.
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
        touch(from: 0)
    }

    private func touch(from start: Int) {
        guard touches, start < objects.count else {
            done.signal()
            return
        }
        let end = min(start + Self.slice, objects.count)
        mapping.touch(objects[start..<end])
        context.perform { self.touch(from: end) }
    }
}
