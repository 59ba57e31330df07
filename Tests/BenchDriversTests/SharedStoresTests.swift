import DriverSupport
import Foundation
import Testing

@Suite struct SharedStoresTests {
    private let directory = URL(fileURLWithPath: "/stores/one")

    @Test func sessionsOnADirectoryShareAStoreUntilTheLastOneEnds() throws {
        let stores = SharedStores<Int>()
        var closed: [Int] = []
        #expect(try stores.open(directory) { 1 } == 1)
        #expect(try stores.open(directory) { 2 } == 1)
        #expect(try stores.open(URL(fileURLWithPath: "/stores/two")) { 3 } == 3)
        stores.close(directory) { closed.append($0) }
        #expect(closed == [])
        stores.close(directory) { closed.append($0) }
        #expect(closed == [1])
        #expect(try stores.open(directory) { 4 } == 4)
    }

    @Test func aStoreThatCannotBeOpenedIsNotShared() throws {
        let stores = SharedStores<Int>()
        #expect(throws: CancellationError.self) { try stores.open(directory) { throw CancellationError() } }
        #expect(try stores.open(directory) { 5 } == 5)
    }
}
