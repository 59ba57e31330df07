@testable import ManagedStore

/// Random requests for dictionaries, most of which make sense.
extension RandomRows {
    mutating func dictionaryRequest() -> FetchRequest<Everything> {
        var request = FetchRequest(Everything.self)
        if generator.oneIn(2) { request.predicate = predicate(depth: 2) }
        if generator.oneIn(2) { fetchGroups(&request) } else { fetchProperties(&request) }
        request.returnsDistinctResults = generator.oneIn(3)
        sort(&request)
        if generator.oneIn(3) { request.fetchLimit = Int.random(in: 1..<20, using: &generator) }
        if generator.oneIn(3) { request.fetchOffset = Int.random(in: 0..<20, using: &generator) }
        return request
    }

    private mutating func fetchProperties(_ request: inout FetchRequest<Everything>) {
        let names = Set((0..<Int.random(in: 1..<5, using: &generator)).map { _ in attribute().name })
        request.propertiesToFetch = names.sorted().map { .property($0, as: generator.oneIn(4) ? "\($0) again" : nil) }
        if generator.oneIn(4) { request.propertiesToFetch.append(.count("text", as: "lonely")) }
    }

    private mutating func fetchGroups(_ request: inout FetchRequest<Everything>) {
        let groups = Set((0..<Int.random(in: 0..<3, using: &generator)).map { _ in attribute().name }).sorted()
        request.propertiesToGroupBy = groups
        request.propertiesToFetch = groups.filter { _ in generator.oneIn(2) }.map { .property($0) }
        for number in 0..<Int.random(in: 1..<5, using: &generator) {
            request.propertiesToFetch.append(function(as: "f\(number)"))
        }
        if !groups.isEmpty, generator.oneIn(2) { request.havingPredicate = having(request) }
    }

    private mutating func function(as name: String) -> FetchExpression {
        let function = generator.pick(FetchExpression.Function.allCases)
        if generator.oneIn(8) { return .count(as: name) }
        let isForNumbers = function == .sum || function == .average
        let numbers: [AttributeType] = [.integer16, .integer32, .integer64, .double, .float, .decimal]
        let known = Everything.attributes.map(\.description)
        let operands = isForNumbers ? known.filter { numbers.contains($0.attributeType) } : known
        return .function(function, generator.pick(operands).name, as: name)
    }

    private mutating func having(_ request: FetchRequest<Everything>) -> FetchPredicate {
        if generator.oneIn(3) { return .compare(generator.pick(request.propertiesToGroupBy), .notEqual, stored: .null) }
        let name = generator.pick(request.propertiesToFetch).name
        let comparison = generator.pick(FetchPredicate.Comparison.allCases)
        let value = generator.pick([.null, .integer64(0), .integer64(2), .integer64(.max)] as [StoredValue])
        let simple = FetchPredicate.compare(name, comparison, stored: value)
        return generator.oneIn(3) ? !simple : simple
    }

    private mutating func sort(_ request: inout FetchRequest<Everything>) {
        let names = request.propertiesToFetch.map(\.name) + request.propertiesToGroupBy
        for _ in 0..<Int.random(in: 0..<3, using: &generator) {
            let isPlain = request.propertiesToGroupBy.isEmpty && generator.oneIn(3)
            let name = isPlain ? attribute().name : generator.pick(names)
            request.sortDescriptors.append(FetchSortDescriptor(key: name, ascending: generator.oneIn(2)))
        }
    }
}
