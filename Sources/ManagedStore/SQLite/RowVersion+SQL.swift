extension RowVersion {
    /// The lower 32 bits of `Z_OPT` as an SQL expression.
    static let column = "(IFNULL(CAST(Z_OPT AS INTEGER), 0) & 4294967295)"
}
