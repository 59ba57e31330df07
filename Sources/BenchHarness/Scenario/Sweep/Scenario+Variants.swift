extension Scenario {
    /// The indices of the variants that a stretch of phases runs in: one for each combination of the numbers that it
    /// depends on. A scenario without lists has one variant, itself.
    func variants(of stretch: Range<Int>) -> [Int] {
        guard let variants else { return [0] }
        return variants.indices.filter { index in
            let own = settings(of: index, for: stretch)
            return !variants[..<index].indices.contains { settings(of: $0, for: stretch) == own }
        }
    }

    /// Returns one of the variants. The names of its phases include the numbers that they depend on, so that results
    /// tell variants apart as they tell phases apart. A scenario without lists stays as it is.
    func at(variant index: Int) -> Scenario {
        guard let variants else { return self }
        var scenario = variants[index].scenario
        scenario.seed = seed
        for stretch in stretches {
            let marks = settings(of: index, for: stretch).marks
            for phase in stretch {
                scenario.phases[phase].name = SizedName(phase: phases[phase].name, marks: marks).description
            }
        }
        return scenario
    }

    /// The names of the phases, and those that results have for the variants.
    package var phaseNamesInResults: [String] {
        let swept = (variants ?? []).indices.flatMap { at(variant: $0).phases }
        return (phases + swept).map(\.name).withoutRepeats
    }

    /// Returns the variant with a phase of this name in results; the scenario itself if none has it.
    package func variant(with phase: String) -> Scenario {
        (variants ?? []).indices.lazy.map(at(variant:)).first { $0.phases.contains { $0.name == phase } } ?? self
    }

    /// The variants that need a seeded store of their own, by the first variant that has it.
    var storeVariants: [Int] { variants?.indices.map(storeVariant).withoutRepeats ?? [0] }

    /// Returns the first variant that has the same seeded store.
    func storeVariant(_ index: Int) -> Int {
        guard let variants else { return 0 }
        let own = settings(of: index, for: 0..<0)
        return variants.indices.first { settings(of: $0, for: 0..<0) == own } ?? index
    }

    /// The lists of the scenario, each by its path; empty if it has none.
    public var sweptPaths: [String] { variants?[0].settings.map { $0.path.joined(separator: ".") } ?? [] }

    /// Returns the settings of a variant that a stretch depends on: its own, and those of the store it starts from.
    private func settings(of variant: Int, for stretch: Range<Int>) -> [SweptSetting] {
        (variants?[variant].settings ?? []).filter { setting in
            guard let phase = setting.phase else { return true }
            return stretch.contains(phase) || phases[phase].makesSeededStore
        }
    }
}
