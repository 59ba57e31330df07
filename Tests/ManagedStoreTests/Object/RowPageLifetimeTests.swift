import Foundation
import TestSupport
import Testing

@testable import ManagedStore

@Suite struct RowPageLifetimeTests {
    @Test func anObjectSavedAndChangedAgainLeavesNothingBehindWithItsContext() throws {
        let store = try TestStore(.inMemory)
        weak var page: RowPage?
        do {
            let context = ManagedObjectContext(coordinator: store.coordinator)
            let item = Item(context: context)
            item.name = "first"
            item.createdAt = Date()
            try context.save()
            // The new row and the one that it replaces lie on the same page.
            item.name = "second"
            page = item.page
        }
        #expect(page == nil)
    }
}
