extension String {
    /// Returns the text with another one in place of each occurrence of a character of ASCII.
    ///
    /// It looks at scalars: a quote and a combining mark after it are one `Character`, which is no quote to Swift, but
    /// one to a database.
    package func replacing(_ scalar: Unicode.Scalar, with text: String) -> String {
        guard unicodeScalars.contains(scalar) else { return self }
        var result = ""
        for other in unicodeScalars {
            if other == scalar { result += text } else { result.unicodeScalars.append(other) }
        }
        return result
    }
}
