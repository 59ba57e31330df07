import Foundation
import Locking
import Testing

@testable import BenchHarness

@Suite struct CoresTests {
    @Test func aThreadIsPutOnOneCoreAndLeftAsItWas() throws {
        let before = Cores.system.allowed
        let core = try #require(before.last)
        let (inside, isPinned) = Cores.system.pinned(to: core) { Cores.system.allowed }
        #expect(isPinned && inside == [core])
        #expect(Cores.system.allowed == before)
    }

    @Test func aProcessStaysOnTheCoreThatItWasStartedOn() throws {
        let core = try #require(Cores.system.allowed.last)
        let (child, _) = try Cores.system.pinned(to: core) {
            try ChildProcess(["/bin/sh", "-c", "grep Cpus_allowed_list /proc/self/status >&3"])
        }
        let line = try #require(try child.nextLine())
        #expect(child.wait {} == nil)
        #expect(String(decoding: line, as: UTF8.self).split(separator: "\t").last == "\(core)")
    }

    @Test func aCoreThatIsNotAllowedPinsNothing() {
        let (inside, isPinned) = Cores.system.pinned(to: 8_000) { Cores.system.allowed }
        #expect(!isPinned && inside == Cores.system.allowed)
        #expect(!Cores.system.pinned(to: nil) { 1 }.isPinned)
    }

    @Test func coresOfAContainerAreNumberedAsThoseOfTheMachine() throws {
        for core in Cores.system.allowed {
            #expect(Cores.system.pinned(to: core) { Cores.system.allowed } == ([core], true))
        }
    }

    /// A machine whose masks are in memory.
    private func fake(_ allowed: [Int], permits: Bool) -> (cores: Cores, masks: Locked<[[Int]]>) {
        let masks = Locked([allowed])
        let cores = Cores(
            read: { masks.withLock { $0.last ?? [] } },
            restrict: { mask in
                if permits { masks.withLock { $0.append(mask) } }
                return permits
            })
        return (cores, masks)
    }

    @Test func theMaskIsSetAndRestored() {
        let (cores, masks) = fake([4, 5], permits: true)
        #expect(cores.pinned(to: 5) { cores.allowed } == ([5], true))
        #expect(masks.value == [[4, 5], [5], [4, 5]])
    }

    @Test(arguments: [[4, 5], []])
    func whatTheSystemRefusesIsDoneOnAllCores(allowed: [Int]) {
        let cores = fake(allowed, permits: false).cores
        #expect(cores.pinned(to: 4) { cores.allowed } == (allowed, false))
    }
}
