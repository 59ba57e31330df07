import Foundation
import Testing

@testable import ManagedStore

/// Messages between processes.
@Suite struct RemoteChangePayloadTests {
    private static let sender = UUID()

    @Test(
        arguments: [
            [], [.init(kind: .inserted, entityNumber: 1, keys: [5, 6, 7, 9])],
            [
                .init(kind: .updated, entityNumber: 1, keys: [1]),
                .init(kind: .deleted, entityNumber: 12, keys: [3, 4]),
            ],
        ] as [[RemoteChangePayload.Group]])
    func aMessageIsReadAsItWasWritten(_ groups: [RemoteChangePayload.Group]) {
        let payload = RemoteChangePayload(sender: Self.sender, groups: groups)
        #expect(RemoteChangePayload(payload.text) == payload)
    }

    @Test func manyKeysAreNotNamed() {
        let keys = (1...10_000).map { Int64($0) * 2 }
        let payload = RemoteChangePayload(
            sender: Self.sender, groups: [.init(kind: .updated, entityNumber: 1, keys: keys)])
        #expect(payload.text.utf8.count < 8_000 && RemoteChangePayload(payload.text)?.groups == .some(nil))
    }

    /// Any user of the database may send a message.
    @Test(arguments: [
        "i1:1-9223372036854775807", "i1:5-1", "i1:-", "x1:1", "i1", "i:1", "i1:1:2", "i1:0", "é", "i1:1-2-3,,",
    ])
    func nonsenseIsAChangeThatIsNotNamed(_ text: String) {
        let payload = RemoteChangePayload("\(Self.sender) \(text)")
        #expect(payload?.sender == Self.sender)
        #expect(payload.map { $0.groups == nil || text.hasPrefix("i1:1-2-3") } == true)
        #expect(RemoteChangePayload(text) == nil && RemoteChangePayload("") == nil)
    }
}
