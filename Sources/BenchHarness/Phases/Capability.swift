/// An optional ability of a session: a protocol that it may conform to.
///
/// If the sessions of a driver lack a phase's capability, the phase is unsupported, and the results give the reason.
struct Capability: Sendable {
    /// The name of the protocol.
    let name: String
    /// The effect of the missing conformance, for the reason in the results.
    let lack: String
    /// Returns whether sessions of a type have the capability.
    let isOffered: @Sendable (any StoreSession.Type) -> Bool
}

extension StoreSession {
    /// Returns the session as one with a capability, which the driver's session type has declared.
    package func offering<Session>(_ type: Session.Type) throws(RunError) -> Session {
        guard let session = self as? Session else {
            throw RunError(
                .phase, "the driver opened a \(Self.self), which is not the \(type) that its sessionType declares")
        }
        return session
    }
}
