extension String {
    /// Returns a text so many times, with commas between.
    ///
    /// By doubling. To join a sequence of strings takes hundreds of times as long, in code of the standard library that
    /// is not specialized for it.
    static func list(of text: String, _ count: Int) -> String {
        if count == 0 { return "" }
        var (list, part, rest) = ("", text + ", ", count - 1)
        while rest > 0 {
            if rest & 1 == 1 { list += part }
            part += part
            rest >>= 1
        }
        return list + text
    }
}
