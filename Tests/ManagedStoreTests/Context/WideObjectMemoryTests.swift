import Foundation
import TestSupport
import Testing

@testable import ManagedStore

/// What changed objects with long values keep in memory.
@Suite struct WideObjectMemoryTests {
    private final class Pages {
        private struct WeakPage {
            weak var page: RowPage?
        }
        private var pages: [WeakPage] = []

        func note(_ page: RowPage) { pages.append(WeakPage(page: page)) }
        var distinctCount: Int { Set(pages.compactMap { $0.page.map { ObjectIdentifier($0) } }).count }
    }

    private static let backends = [Backend.sqlite, .inMemory]

    /// The pages of a hundred saves do not retain one another.
    @Test(arguments: backends, [1, 40]) func aHundredSavesKeepFewPages(_ backend: Backend, _ count: Int) throws {
        let store = try Letter.store(backend, count: count)
        let context = store.context()
        let letters = try context.letters()
        let pages = Pages()
        var contents = letters.map(\.contents)
        for round in 0..<100 {
            for (index, letter) in letters.enumerated() {
                pages.note(letter.page)
                letter.stamp += 1
                if round == 10 { letter.missing = String(repeating: "found", count: 30) }
                if round % 7 == 0 { letter.sixteen = String(repeating: "\(round % 10)", count: 20 + round) }
                contents[index] = letter.contents
                pages.note(letter.page)
            }
            try context.save()
            #expect(letters.map(\.contents) == contents)
            context._checkInvariants()
        }
        for letter in letters { pages.note(letter.page) }
        // The page that was fetched, the one that was saved last, and the one for the next changes, which may have been
        // replaced by a larger one.
        #expect(pages.distinctCount <= 4)
        #expect(letters.allSatisfy { $0.inheritedByteCount > 600 })
        #expect(try store.context().letters().map(\.contents) == contents)
    }

    /// One letter of a hundred takes its values along rather than keep those of all.
    @Test(arguments: backends, [true, false])
    func oneObjectDoesNotKeepAWholePage(_ backend: Backend, _ isChanged: Bool) throws {
        let store = try Letter.store(backend, count: 100)
        let context = store.context()
        weak var page: RowPage?
        let letter: Letter
        do {
            let letters = try context.letters()
            letter = letters[42]
            page = letter.page
            letter.stamp = isChanged ? -1 : 42
            #expect(letter.inheritedByteCount > 600)
        }
        #expect(page != nil)
        try context.save()
        #expect(page == nil && letter.inheritedByteCount == 0)
        var contents = Letter.Contents(42)
        contents.stamp = isChanged ? -1 : 42
        #expect(letter.contents == contents)
    }

    /// The objects of a save that is too large for the cache stay on their own rows.
    @Test func aLargeSaveCopiesNoValue() throws {
        let count = RowPage.rows + 100
        let store = try Letter.store(.inMemory, count: count)
        let context = store.context()
        let letters = try context.letters()
        let addresses = letters.map(\.bodyAddress)
        let pages = Pages()
        for round in 1...3 {
            for letter in letters { letter.stamp += 10_000 }
            try context.save()
            #expect(letters.map(\.bodyAddress) == addresses)
            for letter in letters { pages.note(letter.page) }
            for (number, letter) in letters.enumerated() where number % 97 == 0 {
                var contents = Letter.Contents(number)
                contents.stamp += Int64(10_000 * round)
                #expect(letter.contents == contents)
            }
        }
        for letter in letters { letter.body = "" }
        context.rollback()
        #expect(letters.map(\.bodyAddress) == addresses)
        context._checkInvariants()
        #expect(pages.distinctCount <= 5)
    }

    /// A saved object's fault keeps its row in the cache, and not the row whose values it inherited.
    @Test func aFaultDoesNotKeepTheOldPage() throws {
        let store = try Letter.store(.sqlite, count: RowPage.rows + 1)
        let context = store.context()
        weak var page: RowPage?
        do {
            let letters = try context.letters()
            page = letters[0].page
            for letter in letters { letter.stamp += 1 }
            try context.save()
            #expect(page != nil)
            try context.refreshAllObjects()
            #expect(page == nil && letters.allSatisfy(\.isFault))
            #expect(letters[3].body == Letter.Contents(3).body)
        }
    }
}
