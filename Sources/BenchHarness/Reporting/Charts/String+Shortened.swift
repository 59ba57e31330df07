extension String {
    /// Returns the text with at most `limit` characters. It leaves out the middle, since names that begin alike differ
    /// at the end.
    func shortened(to limit: Int) -> String {
        count > limit ? "\(prefix(limit / 2))…\(suffix(limit - 1 - limit / 2))" : self
    }
}
