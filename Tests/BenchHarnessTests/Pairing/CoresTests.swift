import Foundation
import Testing

@testable import BenchHarness

@Suite struct CoresTests {
    @Test func aThreadIsPutOnOneCoreAndLeftAsItWas() throws {
        let before = Cores.allowed
        let core = try #require(before.last)
        let (inside, isPinned) = Cores.pinned(to: core) { Cores.allowed }
        #expect(isPinned && inside == [core])
        #expect(Cores.allowed == before)
    }

    @Test func aProcessStaysOnTheCoreThatItWasStartedOn() throws {
        let core = try #require(Cores.allowed.last)
        let (child, _) = try Cores.pinned(to: core) {
            try ChildProcess(["/bin/sh", "-c", "grep Cpus_allowed_list /proc/self/status >&3"])
        }
        let line = try #require(child.nextLine())
        #expect(child.wait {} == nil)
        #expect(String(decoding: line, as: UTF8.self).split(separator: "\t").last == "\(core)")
    }

    @Test func aCoreThatIsNotAllowedPinsNothing() {
        let (inside, isPinned) = Cores.pinned(to: 8_000) { Cores.allowed }
        #expect(!isPinned && inside == Cores.allowed)
        #expect(!Cores.pinned(to: nil) { 1 }.isPinned)
    }
}
