import CSQLite

/// Receives the reports of triggers in a file that Core Data wrote: the rows that they changed to maintain a derived
/// attribute.
///
/// The triggers report each row through SQL functions that Core Data registers: `SELECT
/// NSCoreDataDATriggerUpdatedAffectedObjectValue('ZBOOK', Z_ENT, Z_PK, 'pagesCount', ZPAGESCOUNT) FROM ZBOOK ...`. The
/// version of such a row stays the same, so the report is the only sign of the change.
final class TriggerReports {
    /// The keys of the rows, by the number of their entity.
    private var keys: [Int64: Set<Int64>] = [:]

    /// The names in the triggers.
    static let names = [
        "NSCoreDataTriggerUpdateAffectedObjectValue", "NSCoreDataDATriggerUpdatedAffectedObjectValue",
        "NSCoreDataDATriggerInsertUpdatedAffectedObjectValue",
    ]

    /// Registers the functions on a connection, which must not outlive this object. Returns `SQLITE_OK`, or another
    /// code if SQLite rejects one.
    func register(on handle: OpaquePointer) -> Int32 {
        var functions = FunctionRegistration(on: handle)
        for name in Self.names {
            functions.addForTriggers(name, -1, data: Unmanaged.passUnretained(self).toOpaque()) {
                context, count, arguments in
                sqlite3_result_null(context)
                guard count >= 3, let arguments, let reports = sqlite3_user_data(context) else { return }
                Unmanaged<TriggerReports>.fromOpaque(reports).takeUnretainedValue().note(
                    sqlite3_value_int64(arguments[2]), of: sqlite3_value_int64(arguments[1]))
            }
        }
        return functions.result
    }

    private func note(_ key: Int64, of entity: Int64) {
        keys[entity, default: []].insert(key)
    }

    /// Whether no trigger has reported a row since the reports were taken.
    var isEmpty: Bool { keys.isEmpty }

    /// Discards the reports of a transaction that was rolled back.
    func removeAll() {
        if !keys.isEmpty { keys = [:] }
    }

    /// Returns the reports since the last call.
    func take() -> [Int64: Set<Int64>] {
        defer { removeAll() }
        return keys
    }
}
