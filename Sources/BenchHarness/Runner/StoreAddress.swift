import Foundation

/// The address of the server for the drivers that need one.
///
/// It is in the environment, which the processes of a run inherit: every user of a machine can read the arguments of a
/// process, but not its environment.
public enum StoreAddress {
    /// The variable of the environment: `BENCH_STORE`.
    public static let variable = "BENCH_STORE"

    /// The URL in the environment; nil if there is none.
    public static var chosen: URL? {
        ProcessInfo.processInfo.environment[variable].flatMap { $0.isEmpty ? nil : URL(string: $0) }
    }

    /// Sets the URL for this process and those that it starts. Call it before there are other threads.
    ///
    /// - Throws: `RunError` for a text that is not a URL with a scheme.
    public static func choose(_ text: String) throws(RunError) {
        guard let scheme = URL(string: text)?.scheme, !scheme.isEmpty, text.contains("://") else {
            throw RunError(
                .storeDirectory, "\(redacted(text)): expected a URL, such as postgresql://localhost/bench")
        }
        setenv(variable, text, 1)
    }

    /// Returns a text with the password of each URL in it left out, for results and messages.
    public static func redacted(_ text: String) -> String {
        text.replacing(#/(?<scheme>[a-zA-Z][a-zA-Z+.-]*://[^:@\/\s]*):[^\/\s]*@/#) { "\($0.output.scheme):***@" }
            .replacing(#/(?<key>[?&][a-z]*password=)[^&\s]*/#) { "\($0.output.key)***" }
    }
}
