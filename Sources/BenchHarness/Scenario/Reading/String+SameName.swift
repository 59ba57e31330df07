extension String {
    /// Whether another name is the same to SQLite, which ignores the case of the names of tables and columns, or in the
    /// layout of Core Data's files, where names are in capital letters: `ß` becomes `SS`.
    func isSameName(as other: String) -> Bool {
        lowercased() == other.lowercased() || uppercased() == other.uppercased()
    }
}
