import BenchHarness

/// What differs between the two sides.
enum StudyVariant: Hashable, CaseIterable, CustomStringConvertible {
    /// Nothing.
    case unchanged
    /// Code that is never run, which moves all other code.
    case layout
    /// One phase, by so many per cent of CPU time.
    case slower(Int)

    static let slowdowns = [3, 10]
    static let allCases: [Self] = [.unchanged, .layout] + slowdowns.map { .slower($0) }

    var description: String {
        switch self {
        case .unchanged: "unchanged"
        case .layout: "layout"
        case .slower(let percent): "+\(percent)%"
        }
    }
}

/// What is studied: a difference between two sides, while the machine does other work.
struct StudyCondition: Hashable {
    let load: BackgroundLoad
    let variant: StudyVariant

    /// Every condition, the loads in turn: a sitting that ends early has tried all of them about as often.
    static let all = StudyVariant.allCases.flatMap { variant in
        BackgroundLoad.allCases.map { StudyCondition(load: $0, variant: variant) }
    }

    /// Those with one of the differences and one of the loads that `names` has; any, where it has none.
    static func named(_ names: [String]) throws -> [StudyCondition] {
        let variants = StudyVariant.allCases.filter { names.contains($0.description) }
        let loads = BackgroundLoad.allCases.filter { names.contains($0.rawValue) }
        guard variants.count + loads.count == Set(names).count else {
            let known = StudyVariant.allCases.map(\.description) + BackgroundLoad.allCases.map(\.rawValue)
            throw StudyError("expected conditions among \(known.joined(separator: ", ")), once each")
        }
        return all.filter {
            (variants.isEmpty || variants.contains($0.variant)) && (loads.isEmpty || loads.contains($0.load))
        }
    }
}
