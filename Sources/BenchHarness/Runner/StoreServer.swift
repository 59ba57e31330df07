import Foundation

/// A server that keeps the stores of a driver, which has no files of its own then.
///
/// A driver that declares one (``StoreDriver/server``) names the store of each configuration after its folder, which no
/// two stores of a run share.
public protocol StoreServer: Sendable {
    /// Why no store can be made on the server, in words that name the remedy; nil if one can. A command asks before a
    /// run.
    var problem: String? { get }
    /// Returns what gives the store of `configuration` the initial state of a phase.
    func stager(of configuration: StoreConfiguration) -> any StoreStager
    /// Removes the stores that are named after `directory`, or a folder in it.
    func removeStores(below directory: URL) throws
}
