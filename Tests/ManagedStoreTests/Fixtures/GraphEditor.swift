import Foundation
import TestSupport

@testable import ManagedStore

/// A context that changes a graph at random, and what it ought to see.
final class GraphEditor {
    let context: ManagedObjectContext
    /// The parent of the context, if it has one, and the parent's nodes, so that it does not read them again.
    private let parent: ManagedObjectContext?
    private var parentsNodes: [ManagedObject] = []
    private(set) var nodes: [ManagedObject] = []
    /// The graph when the context last read it, and with the context's changes.
    private(set) var base: PlainGraph
    private var hasReadAll = false
    private(set) var graph: PlainGraph
    /// What was done in the round, for the message of a failure.
    private(set) var log: [String] = []

    /// Makes an editor whose context is a child if `isChild` is true.
    init(_ coordinator: PersistentStoreCoordinator, isChild: Bool, count: Int) throws {
        let own = ManagedObjectContext(coordinator: coordinator)
        parent = isChild ? own : nil
        context = isChild ? try ManagedObjectContext(parent: own) : own
        base = PlainGraph(count: count)
        graph = base
    }

    /// Forgets all, and reads the nodes; what they are related to as well if `readsAll` is true.
    func begin(_ graph: PlainGraph, readsAll: Bool, _ random: inout SeededGenerator) throws {
        context.undoManager = nil
        if let parent {
            context.reset()
            try parent.refreshAllObjects()
            parentsNodes = try PlainGraph.nodes(in: parent)
        }
        if random.oneIn(2) { context.reset() } else { try context.refreshAllObjects() }
        (nodes, hasReadAll) = (try PlainGraph.nodes(in: context), readsAll)
        let lists = PlainGraph.ends.filter(\.isOrdered).map { end in
            "\(end.name): \((0..<graph.count).map { graph[end, $0] })"
        }
        (base, self.graph, log) = (graph, graph, ["from \(lists)"])
        for node in nodes {
            for end in PlainGraph.ends where readsAll || random.oneIn(3) { _ = try node.value(forKey: end.name) }
        }
    }

    func set(_ end: PlainGraph.End, of node: Int, to members: [Int]) throws {
        log.append("\(node).\(end.name) = \(members)")
        graph.set(end, of: node, to: members)
        let objects = members.map { nodes[$0] }
        if !end.isToMany { return try nodes[node].setValue(objects.first, forKey: end.name) }
        try nodes[node].setValue(end.isOrdered ? objects : Set(objects) as Any, forKey: end.name)
    }

    func setNumber(_ number: Int64, at position: Int, of node: Int) throws {
        graph.numbers[node][position] = number
        try nodes[node].setValue(number, forKey: ["first", "second"][position])
    }

    /// Changes a relationship of a node from one of its ends.
    func edit(among ends: [PlainGraph.End] = PlainGraph.ends, _ random: inout SeededGenerator) throws {
        let (end, node) = (random.pick(ends), Int.random(in: 0..<graph.count, using: &random))
        let others = Array(0..<graph.count)
        switch Int.random(in: 0..<4, using: &random) {
        case 0 where end.isToMany: try alter(end, node, random.pick(others), isLinked: true)
        case 1 where end.isToMany: try alter(end, node, random.pick(others), isLinked: false)
        default:
            let few = others.shuffled(using: &random).prefix(Int.random(in: 0...3, using: &random))
            try set(end, of: node, to: Array(end.isToMany ? few : few.prefix(1)))
        }
    }

    /// Adds or removes one member, without reading the others.
    private func alter(_ end: PlainGraph.End, _ node: Int, _ member: Int, isLinked: Bool) throws {
        // A member that is added unread is linked anew if another context removes it: a plain graph cannot tell.
        if isLinked, !hasReadAll, graph[end, node].contains(member) { return }
        let relationship = nodes[node].relationship(named: end.name)!
        log.append("\(node).\(end.name) \(isLinked ? "+=" : "-=") \(member)")
        if isLinked {
            graph.link(end, node, member)
            context.addRelated(nodes[member], to: nodes[node], by: relationship)
        } else if graph[end, node].contains(member) {
            graph.unlink(end, node, member)
            context.removeRelated(nodes[member], from: nodes[node], by: relationship)
        }
    }

    /// Saves to the store, by way of the parent if there is one.
    func save(_ policy: MergePolicy.MergeType) throws {
        context.mergePolicy = MergePolicy(policy)
        try context.save()
        parent?.mergePolicy = MergePolicy(policy)
        try parent?.save()
    }

    func rollback() {
        context.rollback()
        parent?.rollback()
    }

    func checkInvariants() {
        context._checkInvariants()
        parent?._checkInvariants()
    }

    // MARK: - Ways back

    /// Lets every relationship lead again where it led, those that have an order at last.
    func setBack(_ random: inout SeededGenerator) throws {
        let ends = PlainGraph.ends.shuffled(using: &random)
        for end in ends.filter({ !$0.isOrdered }) + ends.filter(\.isOrdered) {
            for node in (0..<graph.count).shuffled(using: &random)
            where graph[end, node].sorted() != base[end, node].sorted() || end.isOrdered {
                try set(end, of: node, to: base[end, node])
            }
        }
    }

    /// Takes all changes back by the context's own means.
    func forgetChanges(_ random: inout SeededGenerator) throws {
        graph = base
        if random.oneIn(2) { return context.rollback() }
        for node in nodes.shuffled(using: &random) { try context.refresh(node, mergeChanges: false) }
    }

    /// Makes changes with an undo manager, some in steps of their own, and takes them all back.
    func editAndUndo(_ random: inout SeededGenerator) throws {
        context.processPendingChanges()
        let manager = UndoManager()
        context.undoManager = manager
        for _ in 0..<Int.random(in: 1...5, using: &random) {
            if random.oneIn(6) {
                let node = random.pick(nodes.indices.filter { !nodes[$0].isDeleted })
                log.append("delete \(node)")
                context.delete(nodes[node])
            } else if nodes.allSatisfy({ !$0.isDeleted }) {
                try edit(&random)
            }
            if random.oneIn(2) {
                log.append("process")
                context.processPendingChanges()
            }
        }
        context.processPendingChanges()
        log.append("undo")
        while manager.canUndo { context.undo() }
        context.undoManager = nil
        graph = base
    }
}
