import BenchHarness
import Foundation

/// One behaviour that every driver must show.
///
/// ``all`` lists them. Each makes a store of its own in a temporary folder and removes it, so checks may run at once
/// and in any order, from any test framework:
///
/// ```swift
/// import DriverConformance
/// import Testing
///
/// @Test(arguments: ConformanceCheck.all)
/// func myDriverConforms(_ check: ConformanceCheck) async throws {
///     try await check.run(MyDriver())
/// }
/// ```
public struct ConformanceCheck: Sendable, Identifiable, CustomStringConvertible {
    /// How a check ended that did not fail.
    public enum Outcome: Sendable, Equatable {
        /// The driver does what it must.
        case passed
        /// The driver does not do what the check is about, for a reason: a capability that its sessions lack, one that
        /// it names itself, or a counter that it does not keep.
        case unsupported(reason: String)
    }

    /// The topic and the behaviour, such as `updating: changes every record (batch)`; unique among ``all``.
    public let name: String
    private let entity: EntitySpec
    private let phases: [Phase]
    private let body: @Sendable (CheckedStore) throws -> Void

    /// Creates a check.
    ///
    /// - Parameters:
    ///   - variant: What sets it apart from checks of the same behaviour.
    ///   - entity: The records of the store.
    ///   - works: What a driver must be able to do, beside seeding.
    ///   - body: Throws when the driver errs.
    init(
        _ topic: String, _ behaviour: String, _ variant: String? = nil, entity: EntitySpec = .item,
        needs works: [Phase.Work] = [], body: @escaping @Sendable (CheckedStore) throws -> Void
    ) {
        name = "\(topic): \(behaviour)" + (variant.map { " (\($0))" } ?? "")
        self.entity = entity
        phases =
            [Phase(name: name, from: .empty, work: .seed(SeedWork()))]
            + works.map { [name] in Phase(name: name, from: .seeded, work: $0) }
        self.body = body
    }

    /// Identifies the check: its name.
    public var id: String { name }

    /// The name.
    public var description: String { name }

    /// The protocols that a driver's sessions must conform to for the check, by their names, such as
    /// `UpdatingSession`.
    public var capabilities: [String] {
        var names: [String] = []
        for name in phases.flatMap(\.capabilities) where !names.contains(name) { names.append(name) }
        return names
    }

    /// Why the check asks for something that a driver does not do: its sessions lack a capability, or it names a reason
    /// itself. Nil when the driver does it all.
    public func reasonUnsupported(by driver: any StoreDriver) -> String? {
        phases.lazy.compactMap { $0.reasonUnsupported(by: driver, entity: entity) }.first
    }

    /// Checks a driver.
    ///
    /// Works on a thread of its own, because sessions wait for their queues. The main queue must be served meanwhile,
    /// since a session merges on it unless its driver says otherwise; test frameworks that run asynchronous tests do
    /// so. A check has no time limit: it waits for as long as the driver does.
    ///
    /// - Returns: Whether the driver does what the check asks for, or says that it does not do it.
    /// - Throws: What the driver did wrong.
    @discardableResult
    public func run(_ driver: any StoreDriver) async throws(ConformanceFailure) -> Outcome {
        try await onThread { () throws(ConformanceFailure) in try outcome(of: driver) }
    }

    private func outcome(of driver: any StoreDriver) throws(ConformanceFailure) -> Outcome {
        if let reason = reasonUnsupported(by: driver) { return .unsupported(reason: reason) }
        let steps = StepLog()
        do {
            let store = try CheckedStore(driver, entity: entity, steps: steps)
            defer { store.abandon() }
            try body(store)
            try store.close()
            return .passed
        } catch let unsupported as Unsupported {
            return .unsupported(reason: unsupported.reason)
        } catch {
            let problem = (error as? Discrepancy)?.description ?? "the driver threw \(error)"
            throw ConformanceFailure(check: name, driver: driver.name, steps: steps.steps, problem: problem)
        }
    }
}

extension ConformanceCheck {
    /// Every check, by topic.
    public static let all =
        SeedingChecks.all + FetchingChecks.all + CancellingChecks.all + UpdatingChecks.all + MergingChecks.all
        + RelationshipChecks.all + LoadChecks.all
}
