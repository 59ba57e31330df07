import Foundation
import TestSupport
import Testing

@testable import ManagedStore

/// Changes that cancel out within a context: a save of that context writes nothing of them, and so takes nothing away
/// that another context has saved meanwhile.
@Suite struct CancelledChangeTests {
    /// Two contexts on one store, with the same nodes.
    private struct Scene {
        let x: ManagedObjectContext
        let y: ManagedObjectContext
        let mine: [ManagedObject]
        let theirs: [ManagedObject]
        let store: TestStore

        init(_ backend: Backend, _ links: [(Int, String, [Int])] = []) throws {
            store = try TestStore(backend, model: try PlainGraph.model())
            (x, y) = (store.context(), store.context())
            let context = store.context()
            let nodes = try (0..<4).map { number throws in
                try context.make(PlainGraph.entity(of: number), ["number": number, "first": 0, "second": 0])
            }
            for (node, name, members) in links {
                try nodes[node].setValue(members.map { nodes[$0] }, forKey: name)
            }
            try context.save()
            mine = try PlainGraph.nodes(in: x)
            theirs = try PlainGraph.nodes(in: y)
        }

        /// Saves both, theirs first, and returns what a new context finds.
        func save() throws -> PlainGraph {
            try y.save()
            try mine[0].setValue(7, forKey: "first")
            try x.save()
            x._checkInvariants()
            #expect(try StoreConsistency.faults(store.coordinator) == [])
            return try PlainGraph(in: store.context())
        }
    }

    @Test(arguments: Backend.allCases, ["friends", "likes", "ranks", "children", "items"])
    func membersThatCameAndWentTakeNoneAway(_ backend: Backend, _ name: String) throws {
        let scene = try Scene(backend)
        try scene.mine[0].setValue([scene.mine[2]], forKey: name)
        try scene.mine[0].setValue([ManagedObject](), forKey: name)
        try scene.theirs[0].setValue([scene.theirs[2]], forKey: name)
        let found = try scene.save()
        #expect(found[name, 0] == [2] && found[PlainGraph.end(name).inverse, 2] == [0])
    }

    /// From the end whose members nobody has read.
    @Test(arguments: Backend.allCases, ["friends", "likes", "ranks", "likedBy", "rankedBy"])
    func membersThatCameAndWentUnreadTakeNoneAway(_ backend: Backend, _ name: String) throws {
        let scene = try Scene(backend)
        let relationship = try #require(scene.mine[0].relationship(named: name))
        scene.x.addRelated(scene.mine[2], to: scene.mine[0], by: relationship)
        scene.x.removeRelated(scene.mine[2], from: scene.mine[0], by: relationship)
        try scene.theirs[0].setValue([scene.theirs[2]], forKey: name)
        #expect(try scene.save()[name, 0] == [2])
    }

    @Test(arguments: Backend.allCases, ["friends", "likes", "ranks"])
    func membersThatWentAndCameBackBringNoneBack(_ backend: Backend, _ name: String) throws {
        let scene = try Scene(backend, [(0, name, [2])])
        try scene.mine[0].setValue([ManagedObject](), forKey: name)
        try scene.mine[0].setValue([scene.mine[2]], forKey: name)
        try scene.theirs[0].setValue([ManagedObject](), forKey: name)
        let found = try scene.save()
        #expect(found[name, 0].isEmpty && found[PlainGraph.end(name).inverse, 2].isEmpty)
    }

    /// What is there already is not added, whether the context knows that or not.
    @Test(arguments: Backend.allCases, ["ranks", "items"])
    func addingAnUnreadMemberAgainKeepsItsPlace(_ backend: Backend, _ name: String) throws {
        let scene = try Scene(backend, [(0, name, [2, 1])])
        let relationship = try #require(scene.mine[0].relationship(named: name))
        scene.x.addRelated(scene.mine[2], to: scene.mine[0], by: relationship)
        #expect(try scene.save()[name, 0] == [2, 1])
    }

    /// The order that was set is the store's own by then; another's order wins.
    @Test(arguments: Backend.allCases, ["ranks", "items"])
    func anOrderThatWasSetBackStaysOnlyAsOthersLeftIt(_ backend: Backend, _ name: String) throws {
        let scene = try Scene(backend, [(0, name, [1, 2, 3])])
        try scene.mine[0].setValue([3, 1, 2].map { scene.mine[$0] }, forKey: name)
        try scene.mine[0].setValue([1, 2, 3].map { scene.mine[$0] }, forKey: name)
        try scene.theirs[0].setValue([2, 1, 3].map { scene.theirs[$0] }, forKey: name)
        try scene.y.save()
        try scene.x.refresh(scene.mine[0], mergeChanges: true)
        #expect(try scene.save()[name, 0] == [2, 1, 3])
    }

    /// The numbers of a child's order continue those of the list as it was, not those of the rest of it.
    @Test(arguments: Backend.allCases, ["ranks", "items"])
    func anOrderOfAChildReachesTheStore(_ backend: Backend, _ name: String) throws {
        let scene = try Scene(backend, [(0, name, [1, 2, 3])])
        let child = try ManagedObjectContext(parent: scene.x)
        let nodes = try PlainGraph.nodes(in: child)
        try nodes[0].setValue([nodes[0], nodes[3]], forKey: name)
        try child.save()
        #expect(try scene.save()[name, 0] == [0, 3])
    }

    /// Of a node that is in a list of its own, saved or not: no other end lets go of it while it is deleted.
    @Test(arguments: Backend.allCases, ["children", "items"])
    func anUndoneDeletionOfANodeInItsOwnListLeavesNoTrace(_ backend: Backend, _ name: String) throws {
        for isSaved in [true, false] {
            let scene = try Scene(backend, [(0, name, isSaved ? [0, 1] : [1])])
            let manager = UndoManager()
            scene.x.undoManager = manager
            if !isSaved { try scene.mine[0].setValue([scene.mine[0], scene.mine[1]], forKey: name) }
            scene.x.delete(scene.mine[0])
            scene.x.processPendingChanges()
            while manager.canUndo { scene.x.undo() }
            scene.x._checkInvariants()
            let members = isSaved ? [0, 1, 2] : [1, 2]
            try scene.theirs[0].setValue(members.map { scene.theirs[$0] }, forKey: name)
            #expect(try scene.save()[name, 0].sorted() == members)
        }
    }

    /// The deletion alone is undone: the node is at its place again.
    @Test(arguments: Backend.allCases, [true, false])
    func anUndoneDeletionKeepsANodesPlaceInItsOwnList(_ backend: Backend, _ isSaved: Bool) throws {
        let scene = try Scene(backend, isSaved ? [(0, "items", [0, 1])] : [])
        let manager = UndoManager()
        scene.x.undoManager = manager
        if !isSaved { try scene.mine[0].setValue([scene.mine[0], scene.mine[1]], forKey: "items") }
        scene.x.processPendingChanges()
        scene.x.delete(scene.mine[0])
        scene.x.processPendingChanges()
        scene.x.undo()
        scene.x._checkInvariants()
        #expect(try scene.save()["items", 0] == [0, 1])
    }
}
