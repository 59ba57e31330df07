import TestSupport
import Testing

@testable import ManagedStore

@Suite struct WaitingContextTests {
    @Test func aWaitingContextMayBeUsedByTheOneItWaitsFor() throws {
        let store = try TestStore(.inMemory)
        let (outer, inner) = (store.context(.privateQueue), store.context(.privateQueue))
        let name = outer.performAndWait {
            let item = Item("a", at: 0, in: outer)
            return inner.performAndWait { outer.performAndWait { item.name } }
        }
        #expect(name == "a")
    }
}
