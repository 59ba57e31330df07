/// One combination of the numbers of a scenario with lists: a whole scenario with plain numbers.
public struct ScenarioVariant: Sendable, Equatable, Codable {
    /// The number of each list that the variant has, in the order of the file.
    public var settings: [SweptSetting]
    /// The scenario with these numbers.
    public var scenario: Scenario
}

/// A number that a variant has in place of a list.
public struct SweptSetting: Sendable, Equatable, Codable {
    /// The keys from the top of the scenario to the number. Phases and attributes are named: `phases`,
    /// `update-chunked`, `chunk_records`.
    public var path: [String]
    /// The index of the phase that has the number; nil if it belongs to the whole scenario.
    public var phase: Int?
    /// The number, without needless digits.
    public var value: String
}

extension [SweptSetting] {
    /// The settings as names in results have them. The key alone names a setting, and as much of its path as tells it
    /// from the others.
    var marks: [SizedName.Mark] {
        map { setting in
            let length = (1...setting.path.count).first { length in
                let key = setting.path.suffix(length)
                // An index alone names nothing.
                return Int(key[key.startIndex]) == nil && count { $0.path.suffix(length) == key } == 1
            }
            let key = setting.path.suffix(length ?? setting.path.count).joined(separator: ".")
            return SizedName.Mark(key: key, value: setting.value)
        }
    }
}
