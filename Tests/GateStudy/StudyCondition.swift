import BenchDrivers
import BenchHarness

/// What differs between the two sides.
enum StudyVariant: Hashable, CaseIterable, CustomStringConvertible {
    /// Nothing.
    case unchanged
    /// The order in which the same objects are linked.
    case layout
    /// The CPU time of one phase.
    case slower(Slowdown)

    static let allCases: [Self] = [.unchanged, .layout] + Slowdown.all.map { .slower($0) }

    /// What slows one side, if anything does.
    var slowdown: Slowdown? { if case .slower(let slowdown) = self { slowdown } else { nil } }

    /// Whether it is known what becomes of the figure: not what 3 % of CPU time come to by the clock.
    func changes(_ metric: String) -> Bool {
        guard let slowdown else { return true }
        return metric == "cpu" || slowdown.cause == .statementPerSave
    }

    var description: String {
        switch self {
        case .unchanged: "unchanged"
        case .layout: "layout"
        case .slower(let slowdown): slowdown.description
        }
    }
}

/// Where the store is, as the driver is called.
enum StudiedStore: String, CaseIterable {
    case file = "managed"
    case server = "managed-postgres"

    var driver: any StoreDriver {
        switch self {
        case .file: ManagedDriver()
        case .server: ManagedPostgreSQLDriver()
        }
    }
}

/// What is studied: a difference between two sides, while the machine does other work.
struct StudyCondition: Hashable {
    var store = StudiedStore.file
    let load: BackgroundLoad
    let variant: StudyVariant

    /// Every condition, the loads in turn: a sitting that ends early has tried all of them about as often.
    static let all = StudiedStore.allCases.flatMap { store in
        StudyVariant.allCases.flatMap { variant in
            BackgroundLoad.allCases.map { StudyCondition(store: store, load: $0, variant: variant) }
        }
    }

    /// Those with one of the stores, differences and loads that `names` has; any, where it has none, but of stores the
    /// one in a file, and of loads those that the study knows of.
    static func named(_ names: [String]) throws -> [StudyCondition] {
        let stores = StudiedStore.allCases.filter { names.contains($0.rawValue) }
        let variants = StudyVariant.allCases.filter { names.contains($0.description) }
        let loads = BackgroundLoad.allCases.filter { names.contains($0.rawValue) }
        guard stores.count + variants.count + loads.count == Set(names).count else {
            let known =
                StudiedStore.allCases.map(\.rawValue) + StudyVariant.allCases.map(\.description)
                + BackgroundLoad.allCases.map(\.rawValue)
            throw StudyError("expected conditions among \(known.joined(separator: ", ")), once each")
        }
        return all.filter {
            (stores.isEmpty ? $0.store == .file : stores.contains($0.store))
                && (variants.isEmpty || variants.contains($0.variant))
                && (loads.isEmpty ? $0.load != .outside : loads.contains($0.load))
        }
    }
}
