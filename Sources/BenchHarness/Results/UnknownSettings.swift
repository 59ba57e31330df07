/// The drivers that do not show that they worked with the settings of the scenario.
///
/// A store without syncs is faster by far, so a reader of its times must know that nothing tells whether it made any.
package struct UnknownSettings: Sendable {
    /// The drivers with a row that counts and does not tell, by name.
    let drivers: [String]

    package init(_ rows: [ResultRow]) {
        // A command has no scenario, which would have settings.
        let unknown = rows.filter {
            $0.isEvidence && $0.keepsSettings == nil && $0.kind != PairedCommands.kind
        }
        drivers = Set(unknown.map(\.driver)).sorted()
    }

    /// The drivers in a sentence without its full stop; nil if all show it.
    package var sentence: String? {
        drivers.isEmpty ? nil : "nothing shows that \(drivers.asList) worked with the settings of the scenario"
    }
}
