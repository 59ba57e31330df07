import CSQLite

/// Hears what the triggers of a file that Core Data wrote say: which rows they changed to keep a derived attribute.
///
/// They say so through SQL functions that Core Data registers, once for each row: `SELECT
/// NSCoreDataDATriggerUpdatedAffectedObjectValue('ZBOOK', Z_ENT, Z_PK, 'pagesCount', ZPAGESCOUNT) FROM ZBOOK ...`. The
/// version of such a row stays what it was, so that nothing else tells that the row is another one.
final class TriggerReports {
    /// The keys of the rows, by the number of their entity.
    private var keys: [Int64: Set<Int64>] = [:]

    /// As triggers call them.
    static let names = [
        "NSCoreDataTriggerUpdateAffectedObjectValue", "NSCoreDataDATriggerUpdatedAffectedObjectValue",
        "NSCoreDataDATriggerInsertUpdatedAffectedObjectValue",
    ]

    /// Registers the functions on a connection, which must not outlive the reports. Returns `SQLITE_OK`, or something
    /// else when one was refused.
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

    /// Forgets what was said in a transaction that came to nothing.
    func removeAll() {
        if !keys.isEmpty { keys = [:] }
    }

    /// What was said since the last call.
    func take() -> [Int64: Set<Int64>] {
        defer { removeAll() }
        return keys
    }
}
