/// Has the store compute one value of many records.
public struct AggregateWork: Sendable, Equatable, Codable {
    /// A function of the values of an attribute. Nulls are left out.
    public enum Function: String, Sendable, Codable, CaseIterable {
        /// The sum, of the attribute's type; 0 or null if there are no values.
        case sum
        /// The mean, a double; null if there are no values.
        case average
        /// The least value; null if there are none.
        case minimum
        /// The greatest value; null if there are none.
        case maximum
    }

    /// The function.
    public var function: Function
    /// The attribute whose values it takes.
    public var attribute: String
    /// The filter of the records; nil means all.
    public var filter: FilterSpec?
    /// The attribute whose values make the groups; nil makes one group of all records.
    public var groupBy: String?

    /// Creates the work.
    public init(_ function: Function, of attribute: String, filter: FilterSpec? = nil, groupBy: String? = nil) {
        self.function = function
        self.attribute = attribute
        self.filter = filter
        self.groupBy = groupBy
    }
}

extension Phase.Work {
    /// Has the store compute a value of many records.
    public static func aggregate(_ work: AggregateWork) -> Phase.Work { Phase.Work(work) }
}

/// The value of a group of records.
public struct AggregatedGroup: Sendable, Equatable {
    /// The value that the group's records have in common; null for those without a value, and without groups.
    public let group: FieldValue
    /// The value of the function.
    public let value: FieldValue

    /// Creates a group.
    public init(group: FieldValue = .null, value: FieldValue) {
        self.group = group
        self.value = value
    }
}

/// A session whose store computes sums and the like.
public protocol AggregatingSession: StoreSession {
    /// Returns the value of each group that has records, in any order, on ``StoreSession/queue``; without
    /// ``AggregateWork/groupBy`` always one value. Called while the clock runs.
    func aggregate(_ work: AggregateWork) throws -> [AggregatedGroup]
}

extension Capability {
    static let aggregating = Capability(name: "AggregatingSession", lack: "it computes nothing of many records") {
        $0 is any AggregatingSession.Type
    }
}

extension AggregateWork {
    static let kind = PhaseKind(
        "aggregate", "Has the store compute a value of many records, or of each group of them.", allowsFiles: true,
        keys: [
            .required("function", .choice(Function.self), "Nulls are left out."),
            .required(
                "attribute", .identifier,
                "The attribute whose values it takes: an int64, a double, or for minimum and maximum a date."),
            .optional("filter", .filter, "The records; all if omitted."),
            .optional("group_by", .identifier, "The attribute whose values make the groups; one group if omitted."),
        ]
    ) { object, start in
        let filter = start.filter(object)
        let group = object["group_by"].flatMap { start.entity.attribute($0)?.name }
        let function: Function? = object["function"]?.choice("function")
        let attribute = object["attribute"].flatMap { start.entity.attribute($0) }
        guard let function, let attribute else { return nil }
        let types = function.types
        if !types.contains(attribute.type) {
            object["attribute"]?.refuse(
                "the \(function.rawValue) of \(attribute.name), which is a \(attribute.type.rawValue)",
                expected: "an attribute of type \(types.map(\.rawValue).asChoice)")
        }
        return AggregateWork(function, of: attribute.name, filter: filter, groupBy: group)
    }
}

extension AggregateWork.Function {
    /// The types of the attributes that it takes.
    fileprivate var types: [FieldType] {
        switch self {
        case .sum, .average: [.int64, .double]
        case .minimum, .maximum: [.int64, .double, .date]
        }
    }
}
