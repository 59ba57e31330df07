import Foundation

/// The address of the server for the drivers that need one.
///
/// It is in the environment, which the processes of a run inherit: every user of a machine can read the arguments of a
/// process, but not its environment.
public enum StoreAddress {
    /// The variable of the environment: `BENCH_STORE`.
    public static let variable = "BENCH_STORE"

    /// The schemes of PostgreSQL's URLs.
    private static let schemes = ["postgresql", "postgres"]

    /// The URL in the environment; nil if there is none, or if it is not one of PostgreSQL.
    public static var chosen: URL? { ProcessInfo.processInfo.environment[variable].flatMap(url) }

    /// Sets the URL for this process and those that it starts. Call it before there are other threads.
    ///
    /// - Throws: `RunError` for a text that is not a URL of PostgreSQL. The message does not repeat the text, which may
    ///   hold a password.
    public static func choose(_ text: String) throws(RunError) {
        guard url(text) != nil else {
            throw RunError(
                .storeDirectory,
                "expected a URL, such as postgresql://localhost/bench; percent-encode characters like / and : of a "
                    + "password")
        }
        setenv(variable, text, 1)
    }

    /// Returns the URL that a text is; nil if it is not one of PostgreSQL. libpq would take any other text for the name
    /// of a database, and the server would log it.
    private static func url(_ text: String) -> URL? {
        guard let url = URL(string: text), schemes.contains(url.scheme ?? ""), text.contains("://") else { return nil }
        // In a password that is not percent-encoded, a slash ends the host, and the user is none.
        return text.contains("@") && url.user() == nil ? nil : url
    }

    /// Whether a text is the URL of a server.
    public static func isAddress(_ text: String) -> Bool { url(text) != nil }

    /// Whether the server is on the machine that opens the URL.
    public static func isLocal(_ text: String) -> Bool {
        guard let parts = URLComponents(string: text) else { return false }
        let parameter = parts.queryItems?.first { $0.name == "host" || $0.name == "hostaddr" }?.value
        let host = parameter ?? parts.host ?? ""
        return host.isEmpty || host.hasPrefix("/") || host == "localhost" || host == "::1" || host == "[::1]"
            || host.hasPrefix("127.")
    }

    /// Returns a URL without user, password and parameters, for messages.
    public static func name(_ url: URL) -> String {
        guard var parts = URLComponents(url: url, resolvingAgainstBaseURL: false) else { return "the server" }
        (parts.user, parts.password, parts.query) = (nil, nil, nil)
        return parts.string ?? "the server"
    }

    /// Returns a text with the passwords of URLs and of parameters in it left out, for results and messages.
    public static func redacted(_ text: String) -> String {
        text.replacing(#/(?<user>[a-zA-Z][a-zA-Z+.-]*://[^:@\/\s]*):\S*@/#) { "\($0.output.user):***@" }
            .replacing(#/(?<key>[a-z_]*(?:password|secret|_key)=)[^&\s]*/#) { "\($0.output.key)***" }
    }
}
