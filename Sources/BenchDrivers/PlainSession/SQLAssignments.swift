import BenchHarness
import DriverSupport

/// Changes as the SET clause of an UPDATE.
struct SQLAssignments {
    private(set) var clauses: [String] = []
    private(set) var bindings: [FieldValue] = []

    init(_ changes: [RecordChange], table: RecordTable) {
        for change in changes {
            let column = table.columns[change.attribute]
            switch change.operation {
            case .assign(let value):
                bindings.append(value)
                clauses.append("\(column) = ?")
            case .toggle: clauses.append("\(column) = NOT \(column)")
            case .add(let value):
                bindings.append(Int64(exactly: value).map(FieldValue.int64) ?? .double(value))
                clauses.append("\(column) = \(column) + ?")
            case .draw: preconditionFailure("one statement draws no value for each record")
            }
        }
    }
}
