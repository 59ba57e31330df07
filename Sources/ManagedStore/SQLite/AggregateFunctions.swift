import CSQLite
import Foundation

/// The SQL functions with which fetches of dictionaries add numbers. They run the same code as the evaluation in
/// memory.
enum AggregateFunctions {
    /// Adds the aggregates `MS_SUM` and `MS_AVERAGE` (number, kind).
    static func add(to functions: inout FunctionRegistration) {
        functions.addAggregate(
            "MS_SUM", 2, step: { AggregateFunctions.step($0, $2) },
            finish: { AggregateFunctions.finish($0) { $0.sum } })
        functions.addAggregate(
            "MS_AVERAGE", 2, step: { AggregateFunctions.step($0, $2) },
            finish: { AggregateFunctions.finish($0) { $0.average } })
    }

    private final class Accumulator {
        let kind: NumberSum.Kind
        var total: NumberSum

        init(_ kind: NumberSum.Kind) {
            self.kind = kind
            total = NumberSum(kind)
        }
    }

    private static func step(_ context: OpaquePointer?, _ arguments: UnsafeMutablePointer<OpaquePointer?>?) {
        guard let value = arguments?[0], let accumulator = accumulator(context, arguments?[1]) else { return }
        switch (sqlite3_value_type(value), accumulator.kind) {
        case (SQLITE_NULL, _): return
        case (_, .doubles): accumulator.total.add(sqlite3_value_double(value))
        case (SQLITE_FLOAT, .decimals): accumulator.total.add(DecimalNumber(sqlite3_value_double(value)))
        default: accumulator.total.add(.whole(sqlite3_value_int64(value)))
        }
    }

    /// SQLite keeps a pointer for each group, which is null at first. The end of the group releases its object.
    private static func accumulator(_ context: OpaquePointer?, _ kind: OpaquePointer?) -> Accumulator? {
        let size = Int32(MemoryLayout<UnsafeRawPointer?>.size)
        guard let slot = sqlite3_aggregate_context(context, size)?.assumingMemoryBound(to: UnsafeRawPointer?.self)
        else { return nil }
        if let kept = slot.pointee { return Unmanaged<Accumulator>.fromOpaque(kept).takeUnretainedValue() }
        let accumulator = Accumulator(NumberSum.Kind(rawValue: sqlite3_value_int(kind)) ?? .doubles)
        slot.pointee = UnsafeRawPointer(Unmanaged.passRetained(accumulator).toOpaque())
        return accumulator
    }

    private static func finish(_ context: OpaquePointer?, _ result: (NumberSum) -> DecimalNumber?) {
        let slot = sqlite3_aggregate_context(context, 0)?.assumingMemoryBound(to: UnsafeRawPointer?.self)
        let accumulator = slot?.pointee.map { Unmanaged<Accumulator>.fromOpaque($0).takeRetainedValue() }
        switch result(accumulator?.total ?? NumberSum(.integers)) {
        case nil: sqlite3_result_null(context)
        case .whole(let whole): sqlite3_result_int64(context, whole)
        case .real(let real): sqlite3_result_double(context, real)
        }
    }
}
