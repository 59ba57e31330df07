/// Has the store compute one value of many records.
public struct AggregateWork: Sendable, Equatable, Codable {
    /// A function of records, or of the values of an attribute. Nulls are left out.
    public enum Function: String, Sendable, Codable, CaseIterable {
        /// The number of records, an int64.
        case count
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
    /// The attribute whose values it takes; nil for ``Function/count``, which takes records.
    public var attribute: String?
    /// The filter of the records; nil means all.
    public var filter: FilterSpec?
    /// What makes the groups; nil makes one group of all records. It is an attribute, one that relationships to one
    /// record lead to, such as `list.owner.name`, or such a relationship itself: then the number of the record it leads
    /// to.
    public var groupBy: String?

    /// Creates the work. Every function but ``Function/count`` needs an attribute.
    public init(
        _ function: Function, of attribute: String? = nil, filter: FilterSpec? = nil, groupBy: String? = nil
    ) {
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
            .required(
                "function", .choice(Function.self),
                "count is the number of records; the others take the values of an attribute, without nulls."),
            .optional(
                "attribute", .identifier,
                "The attribute whose values it takes: an int64, a double, or for minimum and maximum a date. Required "
                    + "but for count, which takes none."),
            .optional("filter", .filter, "The records; all if omitted."),
            .optional(
                "group_by", .keyPath,
                "The attribute whose values make the groups, or one that relationships to one record lead to: "
                    + "list.owner.name; or such a relationship. One group if omitted."),
        ]
    ) { object, start in
        let filter = start.filter(object)
        let group = object["group_by"].flatMap { start.entity.groupKey($0) }
        let function: Function? = object["function"]?.choice("function")
        if function == .count {
            object["attribute"]?.refuse(
                "the count of an attribute", expected: "no \"attribute\": a count is of records")
            return AggregateWork(.count, filter: filter, groupBy: group)
        }
        let attribute = object["attribute"].flatMap { start.entity.attribute($0) }
        guard let function else { return nil }
        guard let attribute else {
            if object["attribute"] == nil {
                object.cursor.refuse(
                    "the \(function.rawValue) of no attribute", expected: "the key \"attribute\", or the function count"
                )
            }
            return nil
        }
        if !function.types.contains(attribute.type) {
            object["attribute"]?.refuse(
                "the \(function.rawValue) of \(attribute.name), which is a \(attribute.type.rawValue)",
                expected: "an attribute of type \(function.types.map(\.rawValue).asChoice)")
        }
        return AggregateWork(function, of: attribute.name, filter: filter, groupBy: group)
    }
}

extension KnownEntity {
    /// Returns what makes groups: a relationship to one record, or an attribute, which relationships may lead to; nil,
    /// with an error, if there is none.
    fileprivate func groupKey(_ cursor: JSONCursor) -> String? {
        guard case .string(let name) = cursor.node.value, let relationship = schema.relationship(name),
            !relationship.isToMany
        else { return reachableAttribute(cursor, for: "groups")?.key }
        refuseRelationshipOfFile(name, cursor)
        refuseOtherKind(relationship, cursor)
        return name
    }
}

extension AggregateWork.Function {
    /// The types of the attributes that it takes.
    fileprivate var types: [FieldType] {
        switch self {
        case .count: []
        case .sum, .average: [.int64, .double]
        case .minimum, .maximum: [.int64, .double, .date]
        }
    }
}
