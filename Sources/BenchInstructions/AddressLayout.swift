import BenchHarness
import CSystem

/// The addresses at which the system places programs.
enum AddressLayout {
    /// Does `body`, and has the programs that it starts meanwhile lie at the same addresses each time, where the system
    /// allows that; some containers do not.
    ///
    /// The addresses decide how many steps a search by address takes.
    static func fixed<Value>(_ body: () throws -> Value) rethrows -> Value {
        #if os(Linux)
            // Any value asks for the current one that is none itself (personality(2)).
            let before = personality(0xffff_ffff)
            guard before >= 0, personality(UInt(before) | addressesAreFixed) >= 0 else { return try body() }
            defer { _ = personality(UInt(before)) }
        #endif
        return try body()
    }

    /// `ADDR_NO_RANDOMIZE`.
    private static let addressesAreFixed: UInt = 0x40000
}
