/// Texts, each kept once: the rows of a table name few scenarios, drivers and phases, many times.
struct TextPool {
    /// A string of up to so many bytes lies in the variable itself.
    private static let inlineBytes = 15

    private var texts: Set<String> = []
    /// The bytes of all texts that were kept.
    private(set) var byteCount = 0

    /// The text of a field, which must be UTF-8.
    mutating func text(_ field: CSVField) -> String {
        let text = String(decoding: field, as: UTF8.self)
        guard field.count > Self.inlineBytes else { return text }
        let (isNew, kept) = texts.insert(text)
        if isNew { byteCount += field.count }
        return kept
    }
}
