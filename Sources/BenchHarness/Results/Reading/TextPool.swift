/// A pool that keeps each distinct string once: the rows of a table repeat a few scenarios, drivers and phases.
struct TextPool {
    /// The length in bytes up to which a string needs no allocation.
    private static let inlineBytes = 15

    private var texts: Set<String> = []
    /// The number of bytes of all strings in the pool.
    private(set) var byteCount = 0

    /// Returns the text of a field, which must be UTF-8.
    mutating func text(_ field: CSVField) -> String {
        let text = String(decoding: field, as: UTF8.self)
        guard field.count > Self.inlineBytes else { return text }
        let (isNew, kept) = texts.insert(text)
        if isNew { byteCount += field.count }
        return kept
    }
}
