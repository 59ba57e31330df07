import Foundation

/// The URL of a database, and its form without the password.
struct ServerAddress: Sendable {
    /// The URL as libpq takes it.
    let connectionString: String
    /// The URL without the password.
    let url: URL
    /// The URL without user, password and parameters, for messages.
    let name: String
    private let secrets: [String]

    private static let schemes = ["postgresql", "postgres"]

    /// Nil for a URL that is not one of a PostgreSQL database.
    init?(_ url: URL) {
        guard let scheme = url.scheme?.lowercased(), Self.schemes.contains(scheme),
            var parts = URLComponents(url: url, resolvingAgainstBaseURL: false)
        else { return nil }
        // The library knows the scheme in lower case only.
        connectionString = scheme + url.absoluteString.dropFirst(scheme.count)
        let hidden = parts.queryItems?.filter { Self.isSecret($0.name) } ?? []
        secrets = ([parts.password, parts.percentEncodedPassword] + hidden.map(\.value)).compactMap(\.self)
            .filter { !$0.isEmpty }
        parts.password = nil
        if !hidden.isEmpty { parts.queryItems?.removeAll { Self.isSecret($0.name) } }
        self.url = parts.url ?? url
        parts.user = nil
        parts.query = nil
        name = parts.string ?? scheme
    }

    private static func isSecret(_ parameter: String) -> Bool { parameter.contains("password") }

    /// Returns a message of the client library on one line and without the password.
    func redacted(_ message: String) -> String {
        var text = message.replacing(connectionString, with: name)
        for secret in secrets { text = text.replacing(secret, with: "***") }
        return text.split(whereSeparator: \.isNewline).map { $0.trimmingCharacters(in: .whitespaces) }
            .joined(separator: ": ")
    }
}
