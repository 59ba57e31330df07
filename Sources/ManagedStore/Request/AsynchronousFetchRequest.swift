import Foundation

/// Fetches off the context's queue and delivers on it, with progress and cancellation.
///
/// ```swift
/// let request = AsynchronousFetchRequest(fetchRequest: FetchRequest(Item.self)) { result in
///     show(result.finalResult ?? [])
/// }
/// let result = try context.execute(request)  // returns at once
/// result.progressHandler = { print("Fetched \($0) records") }
/// ```
public final class AsynchronousFetchRequest<Object: ManagedObject>: @unchecked Sendable {
    // Unchecked: configured before it is executed, and not changed after.

    /// What is fetched.
    public let fetchRequest: FetchRequest<Object>
    /// Called once, on the context's queue, with the object that `execute` returned.
    public let completionBlock: (@Sendable (AsynchronousFetchResult<Object>) -> Void)?
    /// How many records are expected, which makes the progress relative; 0 is not known.
    public var estimatedResultCount = 0
    /// Whether to count the records first, which makes the progress relative and takes a little longer.
    public var countsBeforehand = false

    /// Makes a request. The completion block is called once, on the context's queue, in every case.
    public init(
        fetchRequest: FetchRequest<Object>,
        completionBlock: (@Sendable (AsynchronousFetchResult<Object>) -> Void)? = nil
    ) {
        self.fetchRequest = fetchRequest
        self.completionBlock = completionBlock
    }
}

extension AsynchronousFetchRequest: CustomStringConvertible {
    /// The request and its address, as Core Data writes it.
    public var description: String { "<AsynchronousFetchRequest: \(address)>" }

    /// Where the request is, and its fetch request with it, which is a value and has no address of its own.
    var address: String { "0x\(String(UInt(bitPattern: ObjectIdentifier(self)), radix: 16))" }
}
