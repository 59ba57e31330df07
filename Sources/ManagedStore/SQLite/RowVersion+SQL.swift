extension RowVersion {
    /// The lower 32 bits of `Z_OPT`, in SQL.
    static let column = "(IFNULL(CAST(Z_OPT AS INTEGER), 0) & 4294967295)"
}
