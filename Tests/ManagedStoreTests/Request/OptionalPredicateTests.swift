import Foundation
import TestSupport
import Testing

@testable import ManagedStore

/// Predicates with optional and computed values find what Foundation's own evaluation of them finds.
@Suite struct OptionalPredicateTests {
    private func fill(_ context: ManagedObjectContext, _ seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        for number in 0..<40 as Range<Int64> {
            let object = Everything(random.pick(["a", "ab", "b", ""]), number % 5, in: context)
            object.flag = random.oneIn(2)
            object.real = random.pick([0, 0.5, -1.5, 2])
            object.optionalText = random.oneIn(3) ? nil : random.pick(["a", "b", "abc", ""])
            object.optionalNumber = random.oneIn(3) ? nil : random.pick([0, 1, 2, 3, -4])
            object.optionalFlag = random.oneIn(3) ? nil : random.oneIn(2)
            object.optionalReal = random.oneIn(3) ? nil : random.pick([0, 0.5, -2])
        }
    }

    private static var values: [Predicate<Everything>] {
        let two: Int64 = 2
        return [
            #Predicate { ($0.optionalNumber ?? 0) == 0 },
            #Predicate { ($0.optionalNumber ?? 7) > two },
            #Predicate { ($0.optionalNumber ?? $0.number) == $0.number },
            #Predicate { ($0.optionalText ?? "none").contains("n") },
            #Predicate { !($0.optionalFlag ?? false) },
            #Predicate { $0.optionalFlag ?? $0.flag },
            #Predicate { ($0.optionalReal ?? $0.optionalReal ?? 1.5) < 1 },
            #Predicate { $0.optionalText?.contains("b") == true },
            #Predicate { $0.optionalText?.starts(with: "a") != true },
            #Predicate { $0.optionalText?.contains("b") ?? true },
            #Predicate { if let number = $0.optionalNumber { number > 1 } else { false } },
            #Predicate { object in
                if let number = object.optionalNumber { number == object.number } else { object.flag }
            },
            #Predicate { if $0.flag { $0.number > 2 } else { $0.optionalNumber == nil } },
            #Predicate { ($0.flag ? $0.number : 9) >= 3 },
            #Predicate { $0.optionalNumber! > 1 },
            #Predicate { !($0.optionalNumber! > 1) },
            #Predicate { $0.optionalNumber != nil && $0.optionalNumber! > 1 },
            #Predicate { $0.optionalNumber == nil || $0.optionalNumber! + 1 == 3 },
            #Predicate { $0.flag || $0.optionalNumber! == 2 },
            #Predicate { ($0.optionalNumber! == 2) == $0.flag },
        ]
    }

    private static var computed: [Predicate<Everything>] {
        let offset: Int64 = 3
        return [
            #Predicate { $0.number + 1 == 2 },
            #Predicate { $0.number * 2 - offset > $0.number },
            #Predicate { 10 - $0.number == 2 * $0.number + 1 },
            #Predicate { -$0.number < -2 },
            #Predicate { $0.real * 2.0 + 1.0 >= 2.0 },
            #Predicate { $0.number % 2 == 1 },
            #Predicate { $0.number / 2 == 1 },
            #Predicate { 7 / ($0.number + 1) == 3 },
            #Predicate { !(7 % ($0.number + 1) == 1) },
            #Predicate { $0.real / 2.0 < 0.25 },
            #Predicate { $0.text == $0.defaultText },
            #Predicate { $0.optionalText == $0.optionalText },
            #Predicate { ($0.optionalText ?? "b") != $0.text },
            #Predicate { $0.text < $0.defaultText },
            #Predicate { $0.flag == $0.defaultFlag },
            #Predicate { ($0.optionalFlag ?? true) == $0.flag },
            #Predicate { $0.optionalNumber == $0.optionalNumber },
            #Predicate { ($0.optionalReal ?? 2.0) == $0.real },
            #Predicate { (1...3).contains($0.number + 1) },
            #Predicate { [1, 4].contains($0.number * 2) },
        ]
    }

    @Test(arguments: Backend.strictly, [1, 2] as [UInt64])
    func eachFindsWhatFoundationFinds(_ backend: Backend, _ seed: UInt64) throws {
        let store = try TestStore(backend)
        let context = store.context()
        try fill(context, seed)
        let objects = try context.fetch(FetchRequest(Everything.self))
        for (index, predicate) in (Self.values + Self.computed).enumerated() {
            let expected = Set(objects.filter { matches(predicate, $0) })
            let request = FetchRequest(Everything.self, predicate: FetchPredicate(predicate))
            #expect(try Set(context.fetch(request)) == expected, "\(index), unsaved: \(request.predicate!)")
        }
        try context.save()
        for (index, predicate) in (Self.values + Self.computed).enumerated() {
            let expected = Set(objects.filter { matches(predicate, $0) })
            let request = FetchRequest(Everything.self, predicate: FetchPredicate(predicate))
            #expect(try Set(context.fetch(request)) == expected, "\(index): \(request.predicate!)")
            #expect(try context.count(for: request) == expected.count, "\(index): \(request.predicate!)")
        }
    }

    /// Foundation throws where a predicate forces nil.
    private func matches(_ predicate: Predicate<Everything>, _ object: Everything) -> Bool {
        (try? predicate.evaluate(object)) ?? false
    }

    private static var related: [Predicate<Book>] {
        [
            #Predicate { ($0.author?.name ?? "none") == "none" },
            #Predicate { $0.author?.mentor?.name == "1" },
            #Predicate { ($0.author?.mentor?.name ?? "2") > "1" },
            #Predicate { $0.author!.name == "1" },
            #Predicate { $0.author == nil || $0.author!.name < "2" },
            #Predicate { if let author = $0.author { author.name > "0" } else { true } },
            #Predicate { if let author = $0.author { author.books.count > 2 } else { false } },
            #Predicate { ($0.author?.books.count ?? 0) == 2 },
            #Predicate { ($0.author?.name ?? "3") == $0.title },
            #Predicate { $0.author?.name == $0.author?.mentor?.name },
            #Predicate { $0.tags.filter { $0.name > "0" }.count == 1 },
            #Predicate { $0.tags.filter { $0.name > "0" }.count >= $0.chapters.count },
            #Predicate { $0.tags.filter { $0.name == "1" }.isEmpty },
            #Predicate { $0.tags.filter { $0.name > "0" }.contains { $0.name < "2" } },
            #Predicate { $0.tags.filter { $0.name > "0" }.allSatisfy { $0.name < "2" } },
            #Predicate { $0.tags.count == $0.chapters.count },
            #Predicate { $0.tags.count + 1 > $0.chapters.count * 2 },
            #Predicate { $0.chapters.filter { $0.book?.title == "3" }.count > 0 },
        ]
    }

    @Test(arguments: Backend.strictCases, [1, 2] as [UInt64])
    func theSameHoldsOfRelatedObjects(_ backend: Backend, _ seed: UInt64) throws {
        let context = try Library.store(backend).context()
        var random = SeededGenerator(seed: seed)
        let authors = (0..<3).map { Author("\($0)", in: context) }
        for author in authors where random.oneIn(2) { author.mentor = random.pick(authors) }
        let tags = (0..<3).map { Tag("\($0)", in: context) }
        let books = (0..<12).map { number in
            let book = Book("\(number % 4)", in: context)
            book.author = random.oneIn(3) ? nil : random.pick(authors)
            book.tags = Set(tags.filter { _ in random.oneIn(2) })
            book.chapters = (0..<Int.random(in: 0..<4, using: &random)).map { Chapter("\($0)", in: context) }
            return book
        }
        for isSaved in [false, true] {
            if isSaved { try context.save() }
            for (index, predicate) in Self.related.enumerated() {
                let expected = Set(books.filter { (try? predicate.evaluate($0)) ?? false })
                let request = FetchRequest(Book.self, predicate: FetchPredicate(predicate))
                #expect(
                    try Set(context.fetch(request)) == expected,
                    "\(index), \(isSaved ? "saved" : "unsaved"): \(request.predicate!)")
            }
        }
    }

    /// Swift would trap.
    @Test(arguments: Backend.strictly) func neitherOverflowNorDivisionByZeroTraps(_ backend: Backend) throws {
        let context = try TestStore(backend).context()
        Everything("least", .min, in: context)
        Everything("greatest", .max, in: context)
        Everything("zero", 0, in: context)
        func texts(_ predicate: Predicate<Everything>) throws -> [String] {
            try context.fetch(FetchRequest(Everything.self, predicate: FetchPredicate(predicate))).map(\.text).sorted()
        }
        for isSaved in [false, true] {
            if isSaved { try context.save() }
            #expect(try texts(#Predicate { $0.number + 1 > 5 }) == ["greatest"])
            #expect(try texts(#Predicate { $0.number - 1 < 0 }) == ["least", "zero"])
            #expect(try texts(#Predicate { -$0.number > 0 }) == ["least"])
            #expect(try texts(#Predicate { $0.number / -1 > 0 }) == ["least"])
            #expect(try texts(#Predicate { $0.number % -1 == 0 }) == ["greatest", "least", "zero"])
            #expect(try texts(#Predicate { 1 / $0.number == 0 }) == ["greatest", "least"])
            #expect(try texts(#Predicate { 1 / $0.number != 7 }) == ["greatest", "least"])
        }
    }

    /// A value alone is compared with constants, by an index where there is one.
    @Test func whatIsSimpleStaysSimple() {
        func description(_ predicate: Predicate<Book>) -> String { FetchPredicate(predicate).description }
        #expect(description(#Predicate { $0.author?.name == "a" }) == "author.name == \"a\"")
        let coalesced = description(#Predicate { ($0.author?.name ?? "b") == "a" })
        #expect(coalesced.contains("author.name == \"a\""), "\(coalesced)")
        let both = description(#Predicate { $0.title == "a" && !($0.title < "b") })
        #expect(both.hasPrefix("(title == \"a\") AND"), "\(both)")
    }
}
