import Foundation
import TestSupport
import Testing

@testable import BenchHarness

@Suite struct StoreStageTests {
    @Test func aStoreThatCannotBePutInPlaceIsAnsweredByItsFolderAndTheOption() throws {
        let directory = try TemporaryDirectory()
        let file = try directory.write("no folder", to: "driver")
        let stage = StoreStage(directory: file.path)
        let error = #expect(throws: RunError.self) { try stage.empty() }
        #expect(
            error?.description
                == "\(file.path)/store: Not a directory; --store-dir puts the stores elsewhere")
        #expect(throws: RunError.self) { try stage.restoreSeeded() }
    }
}
