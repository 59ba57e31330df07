extension String {
    /// Whether another name is the same to SQLite, which ignores the case of the names of tables and columns.
    func isSameName(as other: String) -> Bool { lowercased() == other.lowercased() }
}
