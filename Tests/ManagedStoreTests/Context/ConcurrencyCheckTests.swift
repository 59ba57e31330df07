import Dispatch
import Foundation
import TestSupport
import Testing

@testable import ManagedStore

/// What crosses queues here on purpose, though the compiler forbids it.
private struct Smuggled<Value>: @unchecked Sendable {
    // Unchecked: that is what is tested.
    let value: Value
}

#if compiler(>=6.2)
    /// The checks end the process, so that each is seen in a process of its own.
    @Suite struct ConcurrencyCheckTests {
        private static func expectTrap(_ output: [UInt8]?, _ parts: String...) {
            let text = String(decoding: output ?? [], as: UTF8.self)
            for part in parts { #expect(text.contains(part), "\(text)") }
        }

        @Test func readingAnObjectOffItsQueueIsCaught() async throws {
            let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
                ManagedObjectContext.isConcurrencyDebuggingEnabled = true
                let context = try TestStore(.inMemory).context(.privateQueue)
                let item = context.performAndWait { Smuggled(value: Item("a", at: 0, in: context)) }
                _ = item.value.name
            }
            Self.expectTrap(
                result?.standardErrorContent, "<Item: ", "off the queue of its context", "PrivateQueueConcurrencyType")
        }

        @Test func writingAnObjectOffItsQueueIsCaught() async throws {
            let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
                ManagedObjectContext.isConcurrencyDebuggingEnabled = true
                let context = try TestStore(.inMemory).context(.privateQueue)
                context.name = "background"
                let item = context.performAndWait { Smuggled(value: Item("a", at: 0, in: context)) }
                item.value.done = true
            }
            Self.expectTrap(result?.standardErrorContent, "<Item: ", "off the queue of its context", "background")
        }

        @Test func readingByKeyOffTheThreadIsCaught() async throws {
            let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
                ManagedObjectContext.isConcurrencyDebuggingEnabled = true
                let context = try TestStore(.inMemory).context()
                let item = Smuggled(value: Item("a", at: 0, in: context))
                let done = DispatchSemaphore(value: 0)
                Thread.detachNewThread {
                    _ = try? item.value.value(forKey: "name")
                    done.signal()
                }
                done.wait()
            }
            Self.expectTrap(result?.standardErrorContent, "<Item: ", "off the thread of its context")
        }

        @Test func usingAContextOffItsQueueIsCaught() async throws {
            let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
                ManagedObjectContext.isConcurrencyDebuggingEnabled = true
                let context = try TestStore(.inMemory).context(.privateQueue)
                _ = try context.items()
            }
            Self.expectTrap(result?.standardErrorContent, "was used off its queue in fetch", "go through perform")
        }

        @Test func followingARelationshipOffItsQueueIsCaught() async throws {
            let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
                ManagedObjectContext.isConcurrencyDebuggingEnabled = true
                let context = try Library.store(.inMemory).context(.privateQueue)
                let author = context.performAndWait { Smuggled(value: Author("a", in: context)) }
                _ = author.value.books
            }
            Self.expectTrap(result?.standardErrorContent, "was used off its queue")
        }

        @Test func theCheckCanBeSwitchedOff() async throws {
            await #expect(processExitsWith: .success) {
                ManagedObjectContext.isConcurrencyDebuggingEnabled = false
                let context = try TestStore(.inMemory).context(.privateQueue)
                let item = context.performAndWait { Smuggled(value: Item("a", at: 0, in: context)) }
                if item.value.name != "a" { exit(1) }
            }
        }
    }
#endif
