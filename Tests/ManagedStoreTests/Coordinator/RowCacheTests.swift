import Foundation
import TestSupport
import Testing

@testable import ManagedStore

/// The cache by itself: what it hands out, and what it must not.
@Suite struct RowCacheTests {
    private let source: ObjectIDSource
    private let cache: RowCache

    init() throws {
        let model = try ManagedObjectModel(Item.self)
        source = ObjectIDSource(storeIdentifier: UUID(), model: model, entityIndex: 0)
        cache = RowCache(entityCount: 1)
    }

    private func page(_ keys: some Sequence<Int64>, version: Int32 = 1) -> RowPage {
        let page = RowPage(source)
        for key in keys { page.appendRow(key: key).version = version }
        return page
    }

    private func version(_ key: Int64, maximumAge: TimeInterval = -1) -> Int32? {
        cache._checkInvariants()
        return cache.row(key, of: 0, maximumAge: maximumAge)?.reference.row.version
    }

    /// Pages whose rows are entered singly, and as a whole, with keys in order and without.
    static let shapes: [[Int64]] = [
        [5], Array(1...20), Array(1...1_000), Array((1...1_000).reversed()), Array(stride(from: 5, to: 4_000, by: 7)),
    ]

    @Test(arguments: shapes) func everyRowOfALivingPageIsFound(_ keys: [Int64]) {
        let page = page(keys)
        cache.enter([page], at: cache.now())
        for key in keys { #expect(cache.row(key, of: 0, maximumAge: -1)?.reference.row.key == key) }
        for key in [keys.min()! - 1, keys.max()! + 1] { #expect(version(key) == nil) }
        withExtendedLifetime(page) {}
    }

    /// What a fetch sorted by a value leaves: pages in whose keys there is no order, close together or far apart.
    @Test(arguments: [1, 1_000] as [Int64], [true, false])
    func everyRowOfManyPagesIsFoundAsLongAsItsPageLives(_ step: Int64, isShuffled: Bool) {
        var random = SeededGenerator(seed: 3)
        let keys = (1...3_000).map { $0 * step }
        let shuffled = isShuffled ? keys.shuffled(using: &random) : keys
        var pages = (0..<10).map { page(shuffled[($0 * 300)..<($0 * 300 + 300)]) }
        cache.enter(pages, at: cache.now())
        for key in keys { #expect(cache.row(key, of: 0, maximumAge: -1)?.reference.row.key == key) }
        for key in [0, 3_001 * step, -5, .max] { #expect(version(key) == nil) }
        if step > 1 { #expect(version(step + 1) == nil) }
        pages.remove(at: 4)
        for (index, key) in shuffled.enumerated() {
            let row = cache.row(key, of: 0, maximumAge: -1)
            #expect(row?.reference.row.key == (index / 300 == 4 ? nil : key))
        }
        withExtendedLifetime(pages) {}
    }

    /// Of readings that overlap, either may have seen what the other did not, whichever began first.
    @Test(arguments: [[5], Array(1...100)] as [[Int64]], [false, true])
    func ofReadingsThatOverlapTheHigherVersionIsNewer(_ keys: [Int64], isEnteredFirst: Bool) {
        let (first, second) = (cache.now(), cache.now())
        let (newer, older) = (page(keys, version: 5), page(keys, version: 4))
        if isEnteredFirst { cache.enter([newer], at: first) }
        cache.enter([older], at: second)
        if !isEnteredFirst { cache.enter([newer], at: first) }
        #expect(version(5) == 5)
        // Another process may have put an older file in its place.
        let restored = page(keys, version: 3)
        cache.enter([restored], at: cache.now())
        #expect(version(5) == 3)
        withExtendedLifetime((newer, older, restored)) {}
    }

    @Test(arguments: [[5], Array(1...100)] as [[Int64]], [[5], Array(1...100)] as [[Int64]])
    func theOlderOfOverlappingReadingsDoesNotComeToLight(_ newerKeys: [Int64], _ olderKeys: [Int64]) {
        let (first, second) = (cache.now(), cache.now())
        var newer: RowPage? = page(newerKeys, version: 5)
        let older = page(olderKeys, version: 4)
        newer.map { cache.enter([$0], at: first) }
        cache.enter([older], at: second)
        #expect(version(5) == 5)
        newer = nil
        #expect(version(5) == nil)
        withExtendedLifetime(older) {}
    }

    @Test func aKeyThatAPageLeavesOutIsNotFound() {
        let page = page(stride(from: 2, to: 400, by: 2))
        cache.enter([page], at: cache.now())
        #expect(version(100) == 1 && version(101) == nil)
        withExtendedLifetime(page) {}
    }

    @Test(arguments: shapes) func aPageIsForgottenWithItsLastReference(_ keys: [Int64]) {
        cache.enter([page(keys)], at: cache.now())
        #expect(version(5) == nil)
    }

    @Test(arguments: shapes, shapes) func theReadingThatBeganLaterWins(_ older: [Int64], _ newer: [Int64]) {
        let (first, second) = (cache.now(), cache.now())
        let pages = (page(older), page(newer, version: 2))
        cache.enter([pages.1], at: second)
        cache.enter([pages.0], at: first)
        #expect(version(5) == 2)
        withExtendedLifetime(pages) {}
    }

    @Test(arguments: shapes, shapes)
    func anOlderRowDoesNotComeBackWhenTheNewerOneIsForgotten(_ older: [Int64], _ newer: [Int64]) {
        let kept = page(older)
        cache.enter([kept], at: cache.now())
        cache.enter([page(newer, version: 2)], at: cache.now())
        #expect(version(5) == nil)
        withExtendedLifetime(kept) {}
    }

    /// Of two who save one row, the first to commit may be the last to tell the cache.
    @Test(arguments: shapes, [true, false])
    func theNewerOfTwoSavesWinsInWhicheverOrderTheyAreToldOf(_ keys: [Int64], entersFirst: Bool) {
        let (firstBegan, secondBegan) = (cache.now(), cache.now())
        let pages = (page(keys, version: 2), page(keys, version: 3))
        let secondDone = cache.now()
        for key in keys { cache.forget([key], of: 0, at: secondDone, version: 3) }
        if entersFirst { cache.enter([pages.1], at: secondBegan) }
        let firstDone = cache.now()
        for key in keys { cache.forget([key], of: 0, at: firstDone, version: 2) }
        cache.enter([pages.0], at: firstBegan)
        if !entersFirst {
            #expect(version(5) == nil)
            cache.enter([pages.1], at: secondBegan)
        }
        #expect(version(5) == 3)
        withExtendedLifetime(pages) {}
    }

    @Test(arguments: shapes) func whatWasReadBeforeARowWasSavedIsForgotten(_ keys: [Int64]) {
        let began = cache.now()
        let pages = (page(keys), page(keys), page(keys))
        cache.enter([pages.0], at: began)
        cache.forget([5], of: 0, at: cache.now(), version: 2)
        #expect(version(5) == nil)
        cache.enter([pages.1], at: began)
        #expect(version(5) == nil)
        guard case .version(2) = cache.knowledge([5], of: 0)[5] else {
            Issue.record("the saved version is not known")
            return
        }
        cache.enter([pages.2], at: cache.now())
        #expect(version(5) == 1)
        withExtendedLifetime(pages) {}
    }

    @Test(arguments: [Array(1...4_000), Array(stride(from: 1, to: 4_000, by: 7)), Array((1...4_000).reversed())])
    func ofManySavedRowsNeitherValuesNorVersionsAreKept(_ keys: [Int64]) {
        let (old, other) = (page(1...1_000), page(9_000...9_500))
        cache.enter([old, other], at: cache.now())
        cache.forget([8, 9_001], of: 0, at: cache.now(), version: 2)
        cache.forget(keys, of: 0, at: cache.now())
        cache._checkInvariants()
        for key in keys where key <= 1_000 { #expect(version(key) == nil) }
        #expect(cache.knowledge([8], of: 0).isEmpty)
        #expect(version(9_000) == 1 && version(9_001) == nil)
        let new = page(keys.sorted(), version: 3)
        cache.enter([new], at: cache.now())
        for key in keys { #expect(version(key) == 3) }
        withExtendedLifetime((old, other, new)) {}
    }

    @Test func savingMoreThanCanBeRememberedForgetsEverything() {
        let kept = page(1...1_000)
        cache.enter([kept], at: cache.now())
        cache.forget(Array(stride(from: 10_000, to: 200_000, by: 4)), of: 0, at: cache.now())
        #expect(version(5) == nil)
        withExtendedLifetime(kept) {}
    }

    @Test func manySmallSavesForgetAtMostEverything() {
        let kept = page(1...1_000)
        cache.enter([kept], at: cache.now())
        for key in Int64(500)...50_000 { cache.forget([key], of: 0, at: cache.now(), version: 2) }
        for key in Int64(500)...1_000 { #expect(version(key) == nil) }
        withExtendedLifetime(kept) {}
    }

    @Test func aRowIsNotHandedOutBeyondItsAge() {
        let kept = page([5])
        cache.enter([kept], at: cache.now())
        usleep(20_000)
        #expect(version(5, maximumAge: 0.01) == nil)
        #expect(version(5, maximumAge: 1_000) == 1 && version(5, maximumAge: 1e12) == 1)
        #expect(version(5, maximumAge: 0) == nil)
        withExtendedLifetime(kept) {}
    }

    /// Against a dictionary that never forgets: what the cache hands out must be the newest state ever entered.
    @Test(arguments: 0..<10 as Range<UInt64>) func itNeverHandsOutWhatIsNotTheNewest(_ seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        var newest: [Int64: Int32] = [:]
        var held: [RowPage] = []
        for version in Int32(1)...300 {
            let first = Int64.random(in: 1...200, using: &random)
            var keys = Array(first..<first + Int64.random(in: 1...100, using: &random))
            if random.oneIn(3) { keys.shuffle(using: &random) }
            if random.oneIn(4) { keys = keys.filter { _ in random.oneIn(2) } }
            let moment = cache.now()
            if random.oneIn(5) {
                cache.forget(keys, of: 0, at: moment, version: version)
            } else {
                held.append(page(keys, version: version))
                cache.enter([held[held.count - 1]], at: moment)
            }
            for key in keys { newest[key] = version }
            while held.count > 5 || (!held.isEmpty && random.oneIn(4)) {
                held.remove(at: Int.random(in: held.indices, using: &random))
            }
            cache._checkInvariants()
            let found = cache.rows(Array(1...300), of: 0, maximumAge: -1).mapValues(\.reference.row.version)
            let old = found.filter { key, version in newest[key] != version }
            #expect(old.isEmpty, "round \(version)")
        }
    }

    @Test func pagesMayDieWhileOthersLookForTheirRows() {
        let cache = cache
        DispatchQueue.concurrentPerform(iterations: 4) { thread in
            var held: [RowPage] = []
            for round in 0..<300 {
                let low = Int64(round % 7 * 10)
                held.append(page(low..<low + (round % 2 == 0 ? 10 : 60)))
                cache.enter([held[held.count - 1]], at: cache.now())
                if held.count > 3 { held.removeFirst(2) }
                for key in stride(from: Int64(thread), to: 120, by: 5) {
                    if let row = cache.row(key, of: 0, maximumAge: -1) { #expect(row.reference.row.key == key) }
                }
            }
        }
        cache._checkInvariants()
    }
}

extension RowCache {
    /// The row with `key`, unless it was read longer than `maximumAge` seconds ago; a negative age sets no limit.
    fileprivate func row(_ key: Int64, of entity: Int, maximumAge: TimeInterval) -> RowSnapshot? {
        rows([key], of: entity, maximumAge: maximumAge)[key]
    }
}
