import BenchHarness

extension StoreInspector {
    /// Feeds the values alone, without the versions.
    func scanValues(into digester: inout RecordDigester) throws {
        var scan = StoreScan()
        scan.values = digester
        try self.scan(into: &scan)
        digester = scan.values
    }
}
