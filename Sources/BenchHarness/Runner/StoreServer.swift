import Foundation

/// A server that keeps the stores of a driver, which has no files of its own then.
///
/// A driver that declares one (``StoreDriver/server``) names the store of each configuration after its folder, which no
/// two stores of a run share.
public protocol StoreServer: Sendable {
    /// Why no store can be made on the server, in words that name the remedy; nil if one can. A command asks before a
    /// run.
    var problem: String? { get }
    /// A text that changes whenever the server has ended all connections: it was restarted, or recovered from a crash.
    var epoch: String { get throws }
    /// Whether an error says that the server cannot be reached, or that a connection to it was lost.
    func isOutage(_ error: any Error) -> Bool
    /// Returns what gives the store of `configuration` the initial state of a phase.
    func stager(of configuration: StoreConfiguration) -> any StoreStager
    /// Returns where the store of `configuration` is, in words, for messages.
    func place(of configuration: StoreConfiguration) -> String
    /// Returns when the server has ended the sessions of all clients that use the store of `configuration`, which are
    /// dead or about to close it: the server still does what a process asked for before its death. Sessions that last
    /// for longer than `seconds` are ended.
    func awaitClients(of configuration: StoreConfiguration, seconds: Double) throws
    /// Removes the stores that are named after `directory`, or a folder in it.
    func removeStores(below directory: URL) throws
    /// The process on this machine that is the parent of all that the server does; nil if it is elsewhere, or hidden.
    var process: Int32? { get }
    /// Returns where the processes of a load leave messages for one another on the server, for the run of this name;
    /// nil if they cannot.
    func meetingPlace(ofRun name: String) throws -> (any MeetingPlace)?
}

extension StoreServer {
    /// Nil, unless the server overrides this default.
    public var process: Int32? { nil }
    /// Nil, unless the server overrides this default.
    public func meetingPlace(ofRun name: String) throws -> (any MeetingPlace)? { nil }
}
