import Foundation
import ManagedStore
import TestSupport
import Testing

/// Random orders through relationships, held against sorted arrays.
@Suite struct RandomKeyPathSortTests {
    private struct Order {
        let key: String
        let ascending: Bool
        let ignoresCase: Bool

        var descriptor: FetchSortDescriptor {
            FetchSortDescriptor(key: key, ascending: ascending, options: ignoresCase ? .caseInsensitive : [])
        }

        /// What a chapter is ordered by; the bytes, as every letter here is ASCII.
        func value(_ chapter: Chapter) -> [UInt8]? {
            let text =
                switch key {
                case "title": String?(chapter.title)
                case "book.title": chapter.book?.title
                case "book.cover.colour": chapter.book?.cover?.colour
                case "book.author.name": chapter.book?.author?.name
                default: chapter.book?.author?.mentor?.name
                }
            return text.map { Array((ignoresCase ? $0.lowercased() : $0).utf8) }
        }

        static let keys = ["title", "book.title", "book.cover.colour", "book.author.name", "book.author.mentor.name"]
    }

    /// What is made and changed at random; deleted objects are taken out.
    private struct World {
        let context: ManagedObjectContext
        var random: SeededGenerator
        var authors: [Author] = []
        var books: [Book] = []
        var chapters: [Chapter] = []
        var covers: [Cover] = []

        init(_ context: ManagedObjectContext, seed: UInt64) {
            self.context = context
            random = SeededGenerator(seed: seed)
            for number in 0..<30 { edit(at: number % 5) }
        }

        private mutating func text() -> String { random.pick(["a", "A", "b", "B", "ab", "aB", ""]) }

        private mutating func any<Object>(_ objects: [Object]) -> Object? {
            objects.isEmpty || random.oneIn(5) ? nil : random.pick(objects)
        }

        mutating func edit() { edit(at: Int.random(in: 0..<10, using: &random)) }

        private mutating func edit(at number: Int) {
            switch number {
            case 0:
                authors.append(Author(text(), in: context))
                authors.last?.mentor = any(authors)
            case 1:
                books.append(random.oneIn(3) ? Atlas(text(), in: context) : Book(text(), in: context))
                books.last?.author = any(authors)
            case 2, 3:
                chapters.append(Chapter(text(), in: context))
                chapters.last?.book = any(books)
            case 4: covers.append(Cover(text(), in: context))
            case 5: any(authors)?.name = text()
            case 6: any(books)?.author = any(authors)
            case 7: any(covers)?.book = any(books)
            case 8: any(authors)?.mentor = any(authors)
            default: delete()
            }
        }

        private mutating func delete() {
            switch Int.random(in: 0..<3, using: &random) {
            case 0: if !authors.isEmpty { context.delete(authors.remove(at: random.index(authors))) }
            case 1: if !covers.isEmpty { context.delete(covers.remove(at: random.index(covers))) }
            default: if !chapters.isEmpty { context.delete(chapters.remove(at: random.index(chapters))) }
            }
        }

        mutating func orders() -> [Order] {
            (0..<Int.random(in: 1..<4, using: &random)).map { _ in
                Order(key: random.pick(Order.keys), ascending: random.oneIn(2), ignoresCase: random.oneIn(2))
            }
        }

        func sorted(_ orders: [Order]) throws -> [Chapter] {
            // In the order of the keys, which settles ties.
            let all = try context.fetch(FetchRequest(Chapter.self))
            return all.enumerated().sorted { left, right in
                for order in orders {
                    let values = (order.value(left.element), order.value(right.element))
                    if values.0 == values.1 { continue }
                    let isBefore = (values.0 ?? []).lexicographicallyPrecedes(values.1 ?? [])
                    let isFirst = values.0 == nil || values.1 != nil && isBefore
                    return isFirst == order.ascending
                }
                return left.offset < right.offset
            }.map(\.element)
        }
    }

    private func check(_ world: inout World, _ step: Comment) throws {
        let orders = world.orders()
        var request = FetchRequest(Chapter.self)
        request.sortDescriptors = orders.map(\.descriptor)
        let expected = try world.sorted(orders)
        request.fetchBatchSize = world.random.oneIn(3) ? 3 : 0
        #expect(try world.context.fetch(request) == expected, step)
        #expect(try world.context.fetchObjectIDs(request) == expected.map(\.objectID), step)
        #expect(try world.context.count(for: request) == expected.count, step)
        request.fetchOffset = Int.random(in: 0..<4, using: &world.random)
        request.fetchLimit = Int.random(in: 1..<8, using: &world.random)
        let some = Array(expected.dropFirst(request.fetchOffset).prefix(request.fetchLimit))
        #expect(try world.context.fetch(request) == some, step)
        let child = try ManagedObjectContext(parent: world.context)
        if world.random.oneIn(4) {
            #expect(try child.fetch(request).map(\.objectID) == some.map(\.objectID), step)
        }
    }

    @Test(arguments: Backend.allCases, Array(1...5) as [UInt64])
    func ordersThroughRelationshipsAreThoseOfSortedArrays(_ backend: Backend, _ seed: UInt64) throws {
        let context = try Library.store(backend).context()
        var world = World(context, seed: seed)
        for step in 0..<40 {
            for _ in 0..<3 { world.edit() }
            if world.random.oneIn(3) { try context.save() }
            if world.random.oneIn(6) { try context.refreshAllObjects() }
            try check(&world, "seed \(seed), step \(step)")
        }
    }
}

extension SeededGenerator {
    fileprivate mutating func index(_ elements: [some Any]) -> Int { Int.random(in: elements.indices, using: &self) }
}
