import Foundation

/// Makes stores of a driver that are copies of an existing file.
public protocol StoreAdopter: Sendable {
    /// Copies the file at `url` into the empty folder of the configuration, as the store that the driver opens there.
    /// Nothing remains to be written, so that a phase does not pay for it. The file itself stays as it is.
    ///
    /// - Throws: An error whose description names the file and says why it cannot be such a store: that it lacks the
    ///   entity or an attribute, for example.
    func adopt(_ url: URL, for configuration: StoreConfiguration) throws
    /// Checks, before a run, that the file at `url` can be such a store with the records of the entity in the focus of
    /// `schema`, and of those that it leads to, and changes nothing.
    ///
    /// - Throws: The error that ``adopt(_:for:)`` would throw because of the file.
    /// - Complexity: O(*n*) in the number of records of the file, at most.
    func check(_ url: URL, for schema: Schema) throws
}
