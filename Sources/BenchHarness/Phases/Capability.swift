/// Something that a session may be able to do beyond what every session can: a protocol that it conforms to.
///
/// A phase whose capability the sessions of a driver lack is unsupported, and the results say why.
struct Capability: Sendable {
    /// The protocol.
    let name: String
    /// What sessions without it do not do, for the reason that people read.
    let lack: String
    /// Whether sessions of a type have it.
    let isOffered: @Sendable (any StoreSession.Type) -> Bool
}

extension StoreSession {
    /// The session as one that has a capability, which the harness has asked its driver's type for.
    package func offering<Session>(_ type: Session.Type) throws(RunError) -> Session {
        guard let session = self as? Session else {
            throw RunError(
                .phase, "the driver opened a \(Self.self), which is not the \(type) that its sessionType declares")
        }
        return session
    }
}
