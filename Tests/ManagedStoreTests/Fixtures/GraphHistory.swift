import Foundation
import TestSupport

@testable import ManagedStore

/// Contexts that change one graph in rounds, and what the store ought to hold after each save.
final class GraphHistory: CustomStringConvertible {
    /// What the contexts have in common.
    enum Arrangement: String, CaseIterable {
        case coordinator
        /// Each context has a coordinator of its own, as processes have.
        case coordinators
        /// The contexts are children of contexts of their own.
        case children
    }

    private static let count = 5
    private static let policies = MergePolicy.MergeType.allCases

    private let store: TestStore
    private let arrangement: Arrangement
    private let editors: [GraphEditor]
    private var truth = PlainGraph(count: count)
    private var random: SeededGenerator
    /// What the round did, for the message of a failure.
    private var log: [String] = []
    var description: String { "\((log + editors.flatMap(\.log)).joined(separator: "; "))" }

    init(_ backend: Backend, _ arrangement: Arrangement, seed: UInt64) throws {
        random = SeededGenerator(seed: seed)
        self.arrangement = arrangement
        let store = try TestStore(backend, model: try PlainGraph.model())
        self.store = store
        let context = store.context()
        for number in 0..<Self.count {
            let entity = PlainGraph.entity(of: number)
            let node = try EntityDescription.insertNewObject(forEntityName: entity, into: context)
            for (key, value) in [("number", number), ("first", 0), ("second", 0)] {
                try node.setValue(value, forKey: key)
            }
        }
        try context.save()
        editors = try (0..<3).map { index throws in
            let coordinator =
                arrangement == .coordinators && index > 0
                ? try store.secondCoordinator(try PlainGraph.model()) : store.coordinator
            return try GraphEditor(coordinator, isChild: arrangement == .children, count: Self.count)
        }
    }

    /// What is wrong with the store: what differs from the plain graph, `keepsOrder` or not.
    private func faults(keepsOrder: Bool) throws -> [String] {
        let found = try PlainGraph(in: store.context()).sorted(keepsOrder: keepsOrder)
        return found.differences(from: truth.sorted(keepsOrder: keepsOrder))
            + (try StoreConsistency.faults(store.coordinator))
    }
}

// MARK: - Changes that cancel out

extension GraphHistory {
    private enum WayBack: CaseIterable {
        case setting, forgetting, undoing
    }

    private enum Moment: CaseIterable {
        case before, between, after
    }

    /// One context changes relationships and takes all changes back, another changes and saves some before, in between
    /// or afterwards; then the first saves a number. Returns what is wrong with the store then.
    func cancel() throws -> [String] {
        let (context, other) = (editors[0], editors[1])
        let (way, node) = (random.pick(WayBack.allCases), Int.random(in: 0..<Self.count, using: &random))
        let readsAll = random.oneIn(2)
        // What was read at different moments need not agree.
        let isFree = way == .forgetting || readsAll && arrangement != .children
        let moment = isFree ? random.pick(Moment.allCases) : .after
        log = ["\(way), they save \(moment), all read: \(readsAll)"]
        try context.begin(truth, readsAll: readsAll, &random)
        try other.begin(truth, readsAll: random.oneIn(2), &random)
        if moment == .before { try saveOthers(other) }
        try change(context, way)
        if moment == .between { try saveOthers(other) }
        switch way {
        case .setting: try context.setBack(&random)
        case .forgetting: try context.forgetChanges(&random)
        case .undoing: break
        }
        if moment == .after { try saveOthers(other) }
        context.checkInvariants()
        let isInConflict =
            truth.row(node) != context.base.row(node) || truth["partner", node] != context.base["partner", node]
        let policy = isInConflict ? .mergeByPropertyObjectTrump : random.pick(Self.policies)
        log.append("\(node) gets a number; \(policy)")
        truth.numbers[node][0] = Int64.random(in: 0..<1000, using: &random)
        try context.setNumber(truth.numbers[node][0], at: 0, of: node)
        try context.save(policy)
        return try faults(keepsOrder: true)
    }

    private func change(_ editor: GraphEditor, _ way: WayBack) throws {
        if way == .undoing { return try editor.editAndUndo(&random) }
        for _ in 0..<Int.random(in: 1...6, using: &random) { try editor.edit(&random) }
        // The parent takes the changes back as well.
        if arrangement == .children, way == .setting, random.oneIn(2) { try editor.context.save() }
    }

    private func saveOthers(_ editor: GraphEditor) throws {
        for _ in 0..<Int.random(in: 1...4, using: &random) { try editor.edit(&random) }
        try editor.save(.error)
        truth = editor.graph
        let faults = try self.faults(keepsOrder: true)
        if !faults.isEmpty { throw Wrong(faults: faults) }
    }

    struct Wrong: Error {
        let faults: [String]
    }
}

// MARK: - Changes that meet

extension GraphHistory {
    /// Several contexts change numbers and relationships, and save one after the other, each by what it read before.
    /// Returns what is wrong with the store after one of the saves.
    func meet() throws -> [String] {
        // The partners of partners change along, which the plain graph knows nothing of.
        let ends = PlainGraph.ends.filter { $0.name != "partner" }
        var waiting = Array(editors.prefix(Int.random(in: 2...3, using: &random)))
        let readsAll = random.oneIn(2) && arrangement != .children
        log = ["\(waiting.count) contexts, all read: \(readsAll)"]
        for editor in waiting { try editor.begin(truth, readsAll: readsAll, &random) }
        func edit() throws {
            let editor = random.pick(waiting)
            if random.oneIn(3) {
                let (node, position) = (
                    Int.random(in: 0..<Self.count, using: &random), Int.random(in: 0...1, using: &random)
                )
                try editor.setNumber(.random(in: 0..<1000, using: &random), at: position, of: node)
            } else {
                try editor.edit(among: ends, &random)
            }
        }
        for _ in 0..<Int.random(in: 2...10, using: &random) { try edit() }
        while !waiting.isEmpty {
            let editor = waiting.remove(at: Int.random(in: waiting.indices, using: &random))
            try save(editor)
            let faults = try faults(keepsOrder: false)
            if !faults.isEmpty { return faults }
            if readsAll, !waiting.isEmpty, random.oneIn(2) { try edit() }
        }
        return []
    }

    private func save(_ editor: GraphEditor) throws {
        let policy = random.pick(Self.policies)
        let (base, mine) = (editor.base, editor.graph)
        let changed = (0..<Self.count).filter { mine.row($0) != base.row($0) }
        let disputed = changed.filter { truth.row($0) != base.row($0) }
        log.append("\(policy), disputed: \(disputed)")
        do {
            try editor.save(policy)
            if policy == .error, !disputed.isEmpty { throw Wrong(faults: ["a conflict was not reported"]) }
        } catch let error as StoreError where policy == .error && error.code == .mergeConflict && !disputed.isEmpty {
            return editor.rollback()
        }
        applyLinks(mine, base, without: [.rollback, .mergeByPropertyStoreTrump].contains(policy) ? disputed : [])
        for node in changed { truth.setRow(merged(mine.row(node), base.row(node), truth.row(node), policy), of: node) }
    }

    private func applyLinks(_ mine: PlainGraph, _ base: PlainGraph, without lost: [Int]) {
        for name in PlainGraph.linked {
            func changed(_ one: PlainGraph, _ other: PlainGraph) -> [[Int]] {
                one.pairs(name).subtracting(other.pairs(name)).filter { !lost.contains($0[0]) && !lost.contains($0[1]) }
            }
            for pair in changed(mine, base) { truth.link(PlainGraph.end(name), pair[0], pair[1]) }
            for pair in changed(base, mine) { truth.unlink(PlainGraph.end(name), pair[0], pair[1]) }
        }
    }

    private func merged(_ mine: [Int64], _ base: [Int64], _ theirs: [Int64], _ policy: MergePolicy.MergeType) -> [Int64]
    {
        if theirs == base { return mine }
        return mine.indices.map { index in
            switch policy {
            case .error, .mergeByPropertyObjectTrump: mine[index] != base[index] ? mine[index] : theirs[index]
            case .mergeByPropertyStoreTrump: theirs[index] != base[index] ? theirs[index] : mine[index]
            case .overwrite: mine[index]
            case .rollback: theirs[index]
            }
        }
    }
}
