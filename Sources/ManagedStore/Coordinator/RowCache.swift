import Dispatch
import Foundation
import Locking

/// The rows that the contexts of one coordinator have read or saved, as long as objects hold them.
///
/// Faults take their values from the cache without I/O, and a merge finds saved rows in it. The cache enters whole
/// pages, so that a fetch of a million rows makes only some hundred entries. It does not keep a page alive; a dying
/// page removes itself. A row thus stays cached as long as an object of any context holds its page. The bookkeeping
/// stays small because the cache may forget a row at any time.
///
/// A row from the cache is never older than what any of the contexts has read, saved or changed by a batch request
/// before. It may be older than the store's row, since other processes and other coordinators bypass the cache.
final class RowCache: Sendable {
    /// The start of a read or save, or the end of a save.
    ///
    /// A read that began after another one entered the cache is the newer one. Of two that overlap, the one that found
    /// the higher version is. The default is before all others.
    struct Moment {
        var number: UInt64 = 0
        var uptimeNanoseconds: UInt64 = 0
    }

    /// The cache's knowledge of a row.
    enum Knowledge {
        case row(RowSnapshot)
        /// The version alone, because the row was removed; 0 if it was deleted.
        case version(Int32)
    }

    private struct State {
        /// One entry per entity, by the entity's position.
        var tables: [CachedPages]
        var lastNumber: UInt64 = 0
    }

    private let state: Locked<State>

    init(entityCount: Int) {
        state = Locked(State(tables: (0..<entityCount).map { _ in CachedPages() }))
    }

    /// Returns the current moment. Call it before rows are read or saved, to enter them, and after a save, to remove
    /// their previous versions.
    func now() -> Moment {
        let uptime = DispatchTime.now().uptimeNanoseconds
        return state.withLock { state in
            state.lastNumber += 1
            return Moment(number: state.lastNumber, uptimeNanoseconds: uptime)
        }
    }

    /// Returns the rows that `body` reads from the store, marked with the moment before the read.
    func reading(_ body: () throws(StoreError) -> FetchedRows) throws(StoreError) -> FetchedRows {
        let moment = now()
        var rows = try body()
        rows.moment = moment
        return rows
    }

    /// Enters pages that do not change any more. Reading or saving them began at `moment`: what others saved later is
    /// newer.
    func enter(_ pages: [RowPage], at moment: Moment) {
        var large: [RowPage] = []
        state.withLock { state in
            state.lastNumber += 1
            let time = ReadingTime(moment, entered: state.lastNumber)
            for page in pages where page.count > 0 && page.cache == nil {
                page.cache = self
                if CachedPages.isSmall(page) {
                    state.tables[page.entityIndex].enterRows(of: page, time)
                } else {
                    large.append(page)
                }
            }
            for (entity, pages) in large.groups(by: \.entityIndex) { state.tables[entity].enter(large: pages, time) }
        }
    }

    /// Removes a page that is about to die.
    func remove(_ page: RowPage) {
        state.withLock { $0.tables[page.entityIndex].remove(page) }
    }

    /// Those of the rows with `keys` that are known, and were not read longer than `maximumAge` seconds ago; a negative
    /// age sets no limit.
    func rows(_ keys: [Int64], of entity: Int, maximumAge: TimeInterval) -> [Int64: RowSnapshot] {
        if maximumAge == 0 { return [:] }
        let oldest = Self.oldest(maximumAge)
        var found: [Int64: RowSnapshot] = [:]
        state.withLock { state in
            for key in keys { found[key] = state.tables[entity].row(key, notBefore: oldest) }
        }
        return found
    }

    /// Returns the row with a key as ``rows(_:of:maximumAge:)`` does those with several.
    func row(_ key: Int64, of entity: Int, maximumAge: TimeInterval) -> RowSnapshot? {
        if maximumAge == 0 { return nil }
        let oldest = Self.oldest(maximumAge)
        return state.withLock { $0.tables[entity].row(key, notBefore: oldest) }
    }

    private static func oldest(_ maximumAge: TimeInterval) -> UInt64 {
        guard maximumAge > 0 else { return 0 }
        let uptime = DispatchTime.now().uptimeNanoseconds
        guard maximumAge * 1e9 < Double(uptime) else { return 0 }
        return uptime - UInt64(maximumAge * 1e9)
    }

    /// Returns the cache's knowledge of the rows with `keys`, of any age.
    func knowledge(_ keys: [Int64], of entity: Int) -> [Int64: Knowledge] {
        var known: [Int64: Knowledge] = [:]
        state.withLock { state in
            for key in keys { known[key] = state.tables[entity].knowledge(key) }
        }
        return known
    }

    /// Removes what was read of the rows with `keys` before `moment`, at which they were changed or, with version 0,
    /// deleted.
    func forget(_ keys: [Int64], of entity: Int, at moment: Moment, version: Int32? = nil) {
        state.withLock { state in
            state.tables[entity].mark(keys, CachedPages.Mark(number: moment.number, version: version))
        }
    }

    /// Removes what was read of `rows` before `moment`, at which they got the versions that they have.
    func forget(versionsBefore rows: [RowReference], of entity: Int, at moment: Moment) {
        state.withLock { state in
            for row in rows {
                let mark = CachedPages.Mark(number: moment.number, version: row.row.version)
                state.tables[entity].mark(row.row.key, mark)
            }
        }
    }

    /// Removes what was read of `entities` before `moment`, at which a batch request changed some of their rows.
    func forgetAll(of entities: [Int], at moment: Moment) {
        state.withLock { state in
            for entity in entities { state.tables[entity].forgetAll(before: moment.number) }
        }
    }

    /// Removes everything, because the coordinator has another store.
    func forgetAll() {
        let moment = now()
        state.withLock { state in
            for entity in state.tables.indices { state.tables[entity].forgetAll(before: moment.number) }
        }
    }

    /// Checks the invariants that hold between calls.
    func _checkInvariants() {
        state.withLock { state in
            for entity in state.tables.indices {
                state.tables[entity]._checkInvariants(self, lastNumber: state.lastNumber)
            }
        }
    }
}
