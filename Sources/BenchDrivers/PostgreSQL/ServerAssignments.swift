import BenchHarness
import DriverSupport

/// Changes as the SET clause of an UPDATE on a server.
struct ServerAssignments {
    private(set) var clauses: [String] = []
    private(set) var values = ServerValues()

    init(_ changes: [RecordChange], table: ServerTable) {
        for change in changes {
            let column = table.columns[change.attribute]
            let type = table.entity.attributes[change.attribute].type
            switch change.operation {
            case .assign(let value):
                values.append(value, as: type)
                clauses.append("\(column) = $\(values.count)")
            case .toggle: clauses.append("\(column) = NOT \(column)")
            case .add(let value):
                if type == .int64, let step = Int64(exactly: value) {
                    values.append(step)
                } else {
                    values.append(value)
                }
                clauses.append("\(column) = \(column) + $\(values.count)")
            case .draw: preconditionFailure("one statement draws no value for each record")
            }
        }
    }
}
