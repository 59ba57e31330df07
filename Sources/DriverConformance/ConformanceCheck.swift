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
    /// The outcome of a check that did not fail.
    public enum Outcome: Sendable, Equatable {
        /// The driver passes the check.
        case passed
        /// The driver does not support the subject of the check. The reason is a capability that its sessions lack, a
        /// reason of its own, or a counter that it does not keep.
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
    ///   - variant: Distinguishes checks of the same behaviour.
    ///   - entity: The entity of the store's records.
    ///   - works: The work that the driver must support, in addition to seeding.
    ///   - body: The check; it throws if the driver errs.
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

    /// The identity of the check: its name.
    public var id: String { name }

    /// The name.
    public var description: String { name }

    /// The names of the protocols that a driver's sessions must conform to for the check, such as `UpdatingSession`.
    public var capabilities: [String] {
        var names: [String] = []
        for name in phases.flatMap(\.capabilities) where !names.contains(name) { names.append(name) }
        return names
    }

    /// Returns why a driver does not support the check: its sessions lack a capability, or it has a reason of its own.
    /// Returns nil if it does.
    public func reasonUnsupported(by driver: any StoreDriver) -> String? {
        let schema = Schema(entity.withTargets)
        return schema.features.lazy.compactMap(driver.obstacle).first
            ?? phases.lazy.compactMap { $0.reasonUnsupported(by: driver, in: schema) }.first
    }

    /// Checks a driver.
    ///
    /// Works on its own thread, because sessions wait for their queues. The main queue must run meanwhile, since a
    /// session merges on it unless its driver says otherwise; test frameworks with asynchronous tests let it run. A
    /// check has no time limit: it waits as long as the driver works.
    ///
    /// - Returns: Whether the driver passes, or why it does not support the check.
    /// - Throws: The driver's error.
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
        SeedingChecks.all + FetchingChecks.all + CancellingChecks.all + ReadingChecks.all + InsertingChecks.all
        + UpsertingChecks.all
        + UpdatingChecks.all + UndoingChecks.all + DeletingChecks.all + AggregatingChecks.all + MergingChecks.all
        + RelationshipChecks.all
        + LoadChecks.all
}
