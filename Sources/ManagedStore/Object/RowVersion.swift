/// The version numbers of rows, by which a save detects a concurrent change.
///
/// A version is the lower 32 bits of `Z_OPT`, even if another program wrote them; NULL is version 0.
enum RowVersion {
    /// Returns the version after `version`. 1 follows the last version, and follows a negative one, which only other
    /// programs can have written.
    @inline(__always) static func next(_ version: Int32) -> Int32 {
        version < 0 || version == .max ? 1 : version + 1
    }

    /// Whether the column holds the version itself, and still will after SQLite increments it.
    @inline(__always) static func isPlain(_ version: Int32) -> Bool { version > 0 && version < .max }
}
