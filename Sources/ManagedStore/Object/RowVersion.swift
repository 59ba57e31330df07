/// How the versions of rows count up, by which a save notices that another was faster.
///
/// A version is what the lower 32 bits of `Z_OPT` hold, even if another program wrote them; NULL is version 0.
enum RowVersion {
    /// The version after `version`: 1 comes after the last, and after a negative one, which only other programs can
    /// have written.
    @inline(__always) static func next(_ version: Int32) -> Int32 {
        version < 0 || version == .max ? 1 : version + 1
    }

    /// Whether the column holds the number itself, and holds the next one once it is counted up by SQLite.
    @inline(__always) static func isPlain(_ version: Int32) -> Bool { version > 0 && version < .max }
}
