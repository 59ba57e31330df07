import Foundation

/// Fetches off the context's queue and delivers the objects on it, with progress and cancellation.
///
/// ```swift
/// let request = AsynchronousFetchRequest(fetchRequest: FetchRequest(Item.self)) { result in
///     show(result.finalResult ?? [])
/// }
/// let result = try context.execute(request)  // returns at once
/// result.progressHandler = { print("Fetched \($0) records") }
/// ```
public final class AsynchronousFetchRequest<Object: ManagedObject>: @unchecked Sendable {
    // Unchecked: configured before it is executed, and not changed afterwards.

    /// The request to fetch.
    public let fetchRequest: FetchRequest<Object>
    /// Called once, on the context's queue, with the object that `execute` returned.
    public let completionBlock: (@Sendable (AsynchronousFetchResult<Object>) -> Void)?
    /// The expected number of records, which makes the progress relative; 0 if unknown.
    public var estimatedResultCount = 0
    /// Whether to count the records first. This makes the progress relative and takes a little longer.
    public var countsBeforehand = false

    /// Makes a request. The context calls the completion block exactly once, on its queue.
    public init(
        fetchRequest: FetchRequest<Object>,
        completionBlock: (@Sendable (AsynchronousFetchResult<Object>) -> Void)? = nil
    ) {
        self.fetchRequest = fetchRequest
        self.completionBlock = completionBlock
    }
}

extension AsynchronousFetchRequest: CustomStringConvertible {
    /// The request and its address, in Core Data's format.
    public var description: String { "<AsynchronousFetchRequest: \(address)>" }

    /// The address of the request. It also stands for the fetch request, which is a value without an address.
    var address: String { "0x\(String(UInt(bitPattern: ObjectIdentifier(self)), radix: 16))" }
}
