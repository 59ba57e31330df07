import Foundation
import Locking
import Testing

@testable import BenchHarness

/// Threads that the system starts or refuses.
@Suite struct OwnThreadTests {
    /// No address space has room for its stack.
    private static let tooLarge = 1 << 50

    @Test func aThreadRunsWithItsName() throws {
        let (done, name) = (DispatchSemaphore(value: 0), Locked<String?>(nil))
        try OwnThread.start(named: "bench.test") {
            name.withLock { $0 = Thread.current.name }
            done.signal()
        }
        done.wait()
        #expect(name.value == "bench.test")
    }

    @Test func aThreadThatTheSystemRefusesIsAnError() {
        let error = #expect(throws: RunError.self) { try OwnThread.start(stackBytes: Self.tooLarge) {} }
        #expect(error?.description.hasPrefix("cannot start a thread: ") == true && error?.code == .process)
    }

    @Test func thereIsRoomHere() throws { try ProcessRoom.check() }
}
