extension String {
    /// Returns the text in at most `limit` characters. What it leaves out is from the middle: names of one kind begin
    /// alike, and their ends tell them apart, such as `fetch-sync@10000` and `fetch-sync@100000`.
    package func shortened(to limit: Int) -> String {
        guard count > limit else { return self }
        guard limit > 1 else { return String(suffix(Swift.max(limit, 0))) }
        return prefix((limit - 1) / 2) + "…" + suffix(limit / 2)
    }
}
