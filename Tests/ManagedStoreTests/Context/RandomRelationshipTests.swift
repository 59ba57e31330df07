import Foundation
import TestSupport
import Testing

@testable import ManagedStore

/// Edits relationships at random, in two contexts, and holds them against plain sets and arrays.
@Suite struct RandomRelationshipTests {
    /// What ought to be: who is related to whom, by number.
    private struct Expected: Equatable {
        var author: [Int: Int] = [:]
        var tags: Set<[Int]> = []
        var chapters: [Int: [Int]] = [:]
        var cover: [Int: Int] = [:]
        var friends: Set<[Int]> = []

        mutating func removeBook(_ book: Int) {
            author[book] = nil
            tags = tags.filter { $0[0] != book }
        }
    }

    private struct World {
        let context: ManagedObjectContext
        var authors: [Author]
        var books: [Int: Book]
        var tags: [Tag]
        var chapters: [Int: Chapter]
        var covers: [Int: Cover]

        func index<Object: ManagedObject>(_ object: Object, _ key: String) -> Int {
            (try? object.value(forKey: key) as? String).flatMap { $0.flatMap { Int($0) } } ?? -1
        }
    }

    private func world(_ context: ManagedObjectContext) throws -> World {
        func all<Object: ManagedObject>(_ type: Object.Type, _ key: String) throws -> [(Int, Object)] {
            try context.fetch(FetchRequest(type)).map { object in
                (Int(try object.value(forKey: key) as? String ?? "") ?? -1, object)
            }.sorted { $0.0 < $1.0 }
        }
        return World(
            context: context, authors: try all(Author.self, "name").map(\.1),
            books: Dictionary(uniqueKeysWithValues: try all(Book.self, "title")),
            tags: try all(Tag.self, "name").map(\.1),
            chapters: Dictionary(uniqueKeysWithValues: try all(Chapter.self, "title")),
            covers: Dictionary(uniqueKeysWithValues: try all(Cover.self, "colour")))
    }

    private func seed(_ store: TestStore) throws {
        let context = store.context()
        for number in 0..<4 {
            _ = Author("\(number)", in: context)
            _ = Tag("\(number)", in: context)
            _ = Cover("\(number)", in: context)
        }
        for number in 0..<6 {
            _ = number % 2 == 0 ? Book("\(number)", in: context) : Atlas("\(number)", in: context)
            _ = Chapter("\(number)", in: context)
        }
        try context.save()
    }

    private func edit(_ world: World, _ expected: inout Expected, _ random: inout SeededGenerator) {
        let book = random.pick(Array(world.books.keys).sorted())
        let object = world.books[book]!
        switch Int.random(in: 0..<12, using: &random) {
        case 0:
            let author = Int.random(in: 0..<4, using: &random)
            object.author = world.authors[author]
            expected.author[book] = author
        case 1:
            object.author = nil
            expected.author[book] = nil
        case 2:
            let author = Int.random(in: 0..<4, using: &random)
            let books = world.books.keys.sorted().filter { _ in random.oneIn(2) }
            world.authors[author].books = Set(books.map { world.books[$0]! })
            expected.author = expected.author.filter { $0.value != author }
            for book in books { expected.author[book] = author }
        case 3:
            let tags = (0..<4).filter { _ in random.oneIn(2) }
            object.tags = Set(tags.map { world.tags[$0] })
            expected.tags = expected.tags.filter { $0[0] != book }.union(tags.map { [book, $0] })
        case 4:
            let tag = Int.random(in: 0..<4, using: &random)
            world.tags[tag].add(object, to: Tag.books)
            expected.tags.insert([book, tag])
        case 5:
            let tag = Int.random(in: 0..<4, using: &random)
            object.remove(world.tags[tag], from: Book.tags)
            expected.tags.remove([book, tag])
        case 6, 7:
            let chapters = world.chapters.keys.shuffled(using: &random).filter { _ in random.oneIn(2) }.sorted {
                ($0 * 7 + book) % 6 < ($1 * 7 + book) % 6
            }
            object.chapters = chapters.map { world.chapters[$0]! }
            for other in expected.chapters.keys { expected.chapters[other]?.removeAll { chapters.contains($0) } }
            expected.chapters[book] = chapters
        case 8:
            let chapter = random.pick(world.chapters.keys.sorted())
            if world.chapters[chapter]?.book === object { return }
            world.chapters[chapter]?.book = object
            for other in expected.chapters.keys { expected.chapters[other]?.removeAll { $0 == chapter } }
            expected.chapters[book, default: []].append(chapter)
        case 9:
            let cover = Int.random(in: 0..<4, using: &random)
            if random.oneIn(2) { object.cover = world.covers[cover] } else { world.covers[cover]?.book = object }
            expected.cover = expected.cover.filter { $0.value != cover }
            expected.cover[book] = cover
        case 10:
            let (one, two) = (Int.random(in: 0..<4, using: &random), Int.random(in: 0..<4, using: &random))
            if random.oneIn(2) {
                world.authors[one].friends.insert(world.authors[two])
                expected.friends.formUnion([[one, two], [two, one]])
            } else {
                world.authors[one].friends.remove(world.authors[two])
                expected.friends.subtract([[one, two], [two, one]])
            }
        default:
            object.cover = nil
            expected.cover[book] = nil
        }
    }

    private func found(_ world: World) -> Expected {
        var found = Expected()
        for (number, book) in world.books {
            found.author[number] = book.author.map { world.index($0, "name") }
            for tag in book.tags { found.tags.insert([number, world.index(tag, "name")]) }
            found.chapters[number] = book.chapters.map { world.index($0, "title") }
            found.cover[number] = book.cover.map { world.index($0, "colour") }
        }
        for (number, author) in world.authors.enumerated() {
            for friend in author.friends { found.friends.insert([number, world.index(friend, "name")]) }
        }
        return found
    }

    /// The same, read from the other ends.
    private func foundBackwards(_ world: World) -> Expected {
        var found = Expected()
        for (number, author) in world.authors.enumerated() {
            for book in author.books { found.author[world.index(book, "title")] = number }
            for friend in author.friends { found.friends.insert([world.index(friend, "name"), number]) }
        }
        for (number, tag) in world.tags.enumerated() {
            for book in tag.books { found.tags.insert([world.index(book, "title"), number]) }
        }
        for (number, cover) in world.covers {
            if let book = cover.book { found.cover[world.index(book, "title")] = number }
        }
        for book in world.books.keys { found.chapters[book] = [] }
        for (number, chapter) in world.chapters {
            if let book = chapter.book { found.chapters[world.index(book, "title"), default: []].append(number) }
        }
        return found
    }

    private func check(_ world: World, _ expected: Expected, _ comment: Comment) {
        var expected = expected
        for book in world.books.keys { expected.chapters[book, default: []] += [] }
        #expect(found(world) == expected, comment)
        var backwards = foundBackwards(world)
        for book in world.books.keys {
            backwards.chapters[book]?.sort()
            expected.chapters[book]?.sort()
        }
        #expect(backwards == expected, comment)
    }

    /// The lists that differ from what was saved are those that the objects say have changed.
    private func checkChanges(
        of world: World, from saved: Expected, to expected: Expected, _ comment: Comment
    ) throws {
        func keys(_ object: ManagedObject, _ changed: [String: Bool]) {
            let found = object.changedValues()
            for (key, isChanged) in changed { #expect((found[key] != nil) == isChanged, comment) }
        }
        for (number, book) in world.books {
            func tags(_ expected: Expected) -> Set<Int> { Set(expected.tags.filter { $0[0] == number }.map { $0[1] }) }
            keys(
                book,
                [
                    "tags": tags(saved) != tags(expected),
                    "chapters": saved.chapters[number, default: []] != expected.chapters[number, default: []],
                ])
            guard case .objectIDs(let ids)? = try book.committedValues(forKeys: ["tags"])["tags"] else { continue }
            #expect(Set(ids) == Set(tags(saved).map { world.tags[$0].objectID }), comment)
        }
        for (number, author) in world.authors.enumerated() {
            func books(_ expected: Expected) -> [Int] { expected.author.filter { $0.value == number }.keys.sorted() }
            keys(author, ["books": books(saved) != books(expected)])
        }
    }

    @Test(arguments: Backend.allCases, EveryTest.cases(4, of: Array(1...12)) as [UInt64])
    func bothEndsAgreeWithPlainCollections(_ backend: Backend, _ seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let store = try Library.store(backend)
        try self.seed(store)
        let context = store.context()
        let world = try world(context)
        var (expected, saved) = (Expected(), Expected())
        for step in 0..<150 {
            edit(world, &expected, &random)
            if step % 4 == 0 { context._checkInvariants() }
            if random.oneIn(6) { check(world, expected, "step \(step)") }
            if random.oneIn(4) { try checkChanges(of: world, from: saved, to: expected, "step \(step)") }
            switch Int.random(in: 0..<30, using: &random) {
            case 0, 1, 2:
                try context.save()
                saved = expected
                let fresh = try self.world(store.context())
                check(fresh, saved, "step \(step), saved")
            case 3:
                context.rollback()
                expected = saved
                check(world, expected, "step \(step), rolled back")
            case 4:
                try context.save()
                saved = expected
                try context.refreshAllObjects()
                check(world, expected, "step \(step), refreshed")
            default: break
            }
        }
    }
}
