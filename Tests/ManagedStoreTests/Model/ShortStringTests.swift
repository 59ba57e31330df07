import Foundation
import TestSupport
import Testing

@testable import ManagedStore

@Suite struct ShortStringTests {
    /// Otherwise strings are read in a slower way, and nothing else tells.
    @Test func thisSwiftKeepsShortStringsAsRowsDo() { #expect(ShortString.isKnown) }

    private static let characters = ["a", "~", "\u{0}", "\u{7F}", "ß", "\u{80}", "é", "e\u{301}", "中", "🙂"]

    /// Around the length from which strings lie elsewhere, and with characters that take more than a byte.
    @Test(arguments: characters) func stringsOfEveryLengthReadAsTheyWereWritten(_ character: String) throws {
        let texts = (0...18).map { String(repeating: "x", count: $0 / 2) + String(repeating: character, count: $0) }
        let model = try ManagedObjectModel(entities: [EntityDescription(Everything.self)])
        let context = try TestStore(model: model).context()
        for (number, text) in texts.enumerated() { Everything(text, Int64(number), in: context) }
        try context.save()
        context.reset()
        let read = try context.fetch(FetchRequest(Everything.self, sortBy: [.init(\.number)])).map(\.text)
        #expect(read == texts)
        // Equal strings may differ in their form: these are the same in every use.
        #expect(read.map { Array($0.utf8) } == texts.map { Array($0.utf8) })
        #expect(Set(read) == Set(texts) && read.map(\.count) == texts.map(\.count))
        var longer = read
        for index in longer.indices { longer[index] += "!" }
        #expect(longer == texts.map { $0 + "!" } && read == texts)
    }
}
