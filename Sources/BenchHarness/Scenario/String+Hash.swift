extension String {
    /// The hash of the bytes by Fowler, Noll and Vo (FNV-1a, 64 bits), which is the same in every process.
    package var stableHash: UInt64 {
        utf8.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
    }
}
