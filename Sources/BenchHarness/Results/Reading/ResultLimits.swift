/// The bounds within which a file of results must stay: reading any file takes bounded memory and ends.
///
/// All of them lie far beyond what a run writes. Together they keep a table below some 500 MB.
enum ResultLimits {
    /// What is read at once, in bytes.
    static let chunkBytes = 64 << 10
    /// The longest file, in bytes.
    static let fileBytes = 1 << 30
    /// The longest record, in bytes without its separators.
    static let recordBytes = 1 << 20
    /// The most fields in a record.
    static let fields = 4_096
    /// The most rows in a file.
    static let rows = 350_000
    /// The most bytes of text, not counting what is repeated or fits into a string without an allocation.
    static let textBytes = 64 << 20
    /// The longest manifest, in bytes.
    static let manifestBytes = 16 << 20
    /// The longest file of percentiles, in bytes; at five ticks per half distance none has more than a few hundred
    /// lines.
    static let spectrumBytes = 1 << 20
}
