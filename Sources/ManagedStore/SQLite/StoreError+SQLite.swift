extension StoreError {
    /// SQLite's extended result code; nil for an error of another origin.
    public var sqliteCode: Int32? {
        storeCode.flatMap { $0.domain == StoreCode.sqliteDomain ? Int32($0.code) : nil }
    }
}

extension StoreError.StoreCode {
    fileprivate static let sqliteDomain = "SQLite"

    static func sqlite(_ code: Int32) -> StoreError.StoreCode {
        StoreError.StoreCode(domain: sqliteDomain, code: "\(code)")
    }
}
