/// The limits of a file of results: they bound the memory and the time to read any file.
///
/// They all lie far beyond what a run writes. Together they keep a table below about 500 MB.
enum ResultLimits {
    /// The number of bytes per read.
    static let chunkBytes = 64 << 10
    /// The largest file, in bytes.
    static let fileBytes = 1 << 30
    /// The longest record, in bytes without its separators.
    static let recordBytes = 1 << 20
    /// The largest number of fields in a record.
    static let fields = 4_096
    /// The largest number of rows in a file.
    static let rows = 350_000
    /// The largest number of bytes of text, not counting repeated strings and those that need no allocation.
    static let textBytes = 64 << 20
    /// The largest manifest, in bytes.
    static let manifestBytes = 16 << 20
    /// The largest file of percentiles, in bytes; at five ticks per half distance, a file has a few hundred lines at
    /// most.
    static let spectrumBytes = 1 << 20
    /// The largest log of histograms, in bytes.
    static let histogramLogBytes = 256 << 20
}
