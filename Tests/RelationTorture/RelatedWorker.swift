import BenchHarness
import Foundation
import ManagedStore

/// A worker that changes related records in its own context, as an application would.
final class RelatedWorker {
    private let context: ManagedObjectContext

    init(_ coordinator: PersistentStoreCoordinator) {
        context = ManagedObjectContext(coordinator: coordinator)
    }

    /// Does an operation in one save, with its policy. The worker releases all records before it returns.
    func perform(_ operation: RelatedOperation) throws -> RelatedOutcome {
        defer { context.reset() }
        context.mergePolicy = MergePolicy(operation.policy.mergeType)
        do throws(StoreError) {
            return try save(operation)
        } catch {
            if error.isConflictWithAnotherSave { return .refused }
            throw error
        }
    }

    private func save(_ operation: RelatedOperation) throws(StoreError) -> RelatedOutcome {
        guard let accounts = try change(operation) else { return .refused }
        var marks: [RelatedMark] = []
        for account in accounts { marks.append(try mark(account)) }
        try context.save()
        return .done(marks)
    }

    private func mark(_ account: RelatedAccount) throws(StoreError) -> RelatedMark {
        // Another worker may have deleted the list meanwhile; access by key throws then instead of trapping.
        let list = try account.list?.value(forKey: "number") as? Int64
        return RelatedMark(
            account: account.number, revision: account.revision, balance: account.balance, list: list.map { Int($0) })
    }

    /// Makes the changes of the operation.
    ///
    /// - Returns: The accounts that it names and that exist afterwards; nil if a record of the operation does not
    ///   exist.
    private func change(_ operation: RelatedOperation) throws(StoreError) -> [RelatedAccount]? {
        switch operation.kind {
        case .insert: return try insert(operation)
        case .insertList:
            RelatedList(context: context).number = operation.numbers[0]
            return []
        case .deleteList:
            guard let list = try lists().first(where: { $0.number == operation.numbers[0] }) else { return nil }
            context.delete(list)
            return []
        default: break
        }
        guard let accounts = try accounts(operation.numbers) else { return nil }
        for account in accounts { account.revision += 1 }
        try change(accounts, operation)
        return operation.kind == .delete ? [] : accounts
    }

    private func change(_ accounts: [RelatedAccount], _ operation: RelatedOperation) throws(StoreError) {
        let account = accounts[0]
        switch operation.kind {
        case .transfer:
            account.balance -= operation.amount
            accounts[1].balance += operation.amount
        case .move: account.list = try chosen(operation.choice, of: lists())
        case .pair: account.next = accounts[1]
        case .part: account.next = nil
        case .enqueue:
            let list = try chosen(operation.choice, of: lists())
            var queue = list.queue.filter { $0 !== account }
            queue.insert(account, at: operation.choice % (queue.count + 1))
            list.queue = queue
        case .tag:
            let tags = try context.fetch(FetchRequest(RelatedTag.self, sortBy: [SortDescriptor(\.number)]))
            account.tags.formSymmetricDifference([chosen(operation.choice, of: tags)])
        case .delete: context.delete(account)
        case .insert, .insertList, .deleteList: break
        }
    }

    private func insert(_ operation: RelatedOperation) throws(StoreError) -> [RelatedAccount] {
        let account = RelatedAccount(context: context)
        account.number = operation.numbers[0]
        account.list = try chosen(operation.choice, of: lists())
        return [account]
    }

    /// Returns the chosen object; some objects are never deleted, so there is one.
    private func chosen<Object>(_ choice: Int, of objects: [Object]) -> Object { objects[choice % objects.count] }

    private func lists() throws(StoreError) -> [RelatedList] {
        try context.fetch(FetchRequest(RelatedList.self, sortBy: [SortDescriptor(\.number)]))
    }

    /// Returns the accounts with these numbers, in their order; nil if one does not exist.
    private func accounts(_ numbers: [Int]) throws(StoreError) -> [RelatedAccount]? {
        let found = try context.fetch(FetchRequest(RelatedAccount.self, predicate: .in("number", numbers)))
        let accounts = numbers.compactMap { number in found.first { $0.number == number } }
        return accounts.count == numbers.count ? accounts : nil
    }
}

extension RelatedOperation.Policy {
    fileprivate var mergeType: MergePolicy.MergeType {
        switch self {
        case .error: .error
        case .storeTrump: .mergeByPropertyStoreTrump
        case .objectTrump: .mergeByPropertyObjectTrump
        case .overwrite: .overwrite
        case .rollback: .rollback
        }
    }
}

extension StoreError {
    /// Whether another worker's save, completed or in progress, caused the error.
    fileprivate var isConflictWithAnotherSave: Bool {
        switch code {
        case .mergeConflict, .busy, .objectNotFound, .validationRelationshipDeniedDelete,
            .validationMissingMandatoryProperty, .validationMultipleErrors:
            return true
        default: return false
        }
    }
}
