import Testing

@testable import ManagedStore

#if compiler(>=6.2)
    /// A confinement context has no queue to perform on. The check ends the process, so that each is seen in one of its
    /// own.
    @Suite struct ConfinementTests {
        @Test func performingIsCaught() async throws {
            let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
                try TestStore(.inMemory).context().perform {}
            }
            #expect(Self.names(result?.standardErrorContent, "perform(_:)"))
        }

        @Test func performingAndWaitingIsCaught() async throws {
            let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
                try TestStore(.inMemory).context().performAndWait {}
            }
            #expect(Self.names(result?.standardErrorContent, "performAndWait(_:)"))
        }

        private static func names(_ output: [UInt8]?, _ function: String) -> Bool {
            let text = String(decoding: output ?? [], as: UTF8.self)
            return text.contains("ConfinementConcurrencyType") && text.contains(function)
        }
    }
#endif
