import Foundation
import TestSupport
import Testing

@testable import BenchHarness

@Suite struct MeetingAddressTests {
    @Test func aTextNamesAServerOrAFolder() {
        #expect(MeetingAddress("store:run-1.b_2") == .server(run: "run-1.b_2"))
        #expect(MeetingAddress("/tmp/store:1") == .folder("/tmp/store:1"))
        let here = FileManager.default.currentDirectoryPath
        #expect(MeetingAddress("./store") == .folder("\(here)/store"))
        #expect(MeetingAddress("stores") == .folder("\(here)/stores"))
    }

    private static let long = "store:" + String(repeating: "a", count: 41)

    @Test(arguments: ["store", "store:", "store:a b", "store:a'b", "store:é", long])
    func aNameThatIsNoneIsRefused(text: String) {
        #expect(MeetingAddress(text) == nil)
    }

    @Test func aDriverWithoutAServerIsNamed() {
        let error = #expect(throws: RunError.self) { try MeetingAddress.server(run: "a").place(of: FakeDriver()) }
        #expect(error?.description.hasPrefix("fake has no server on which processes can meet") == true)
    }
}
