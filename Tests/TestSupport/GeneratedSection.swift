import Foundation

/// A part of a page that is made from the code, between a line `<!-- generated: NAME -->` and a line
/// `<!-- end of NAME -->`.
///
/// A test holds the part equal to what the code says now. With `RENEW_PAGES=1` in the environment, as `make pages`
/// sets it, the test writes the part instead.
public struct GeneratedSection: Sendable {
    /// Whether tests write what is made from the code instead of comparing it.
    public static let renews = ProcessInfo.processInfo.environment["RENEW_PAGES"] == "1"

    private let page: URL
    private let name: String

    /// The part called `name` of the page at `path`, relative to the package.
    public init(_ name: String, of path: String) {
        self.name = name
        page = Repository.url(path)
    }

    /// Compares the page with `text`, or renews it.
    ///
    /// - Returns: The place where the page has another line, and that line; nil when it has `text`.
    public func discrepancy(from text: String) throws -> String? {
        let lines = try String(contentsOf: page, encoding: .utf8).components(separatedBy: "\n")
        guard let first = lines.firstIndex(of: "<!-- generated: \(name) -->"),
            let last = lines.firstIndex(of: "<!-- end of \(name) -->"), first < last
        else { return "\(page.lastPathComponent) has no part \"\(name)\"" }
        let wanted = [""] + text.components(separatedBy: "\n") + [""]
        let found = Array(lines[(first + 1)..<last])
        guard found != wanted else { return nil }
        if Self.renews {
            let renewed = lines[...first] + wanted + lines[last...]
            try renewed.joined(separator: "\n").write(to: page, atomically: true, encoding: .utf8)
            return nil
        }
        let line = zip(found, wanted).prefix { $0 == $1 }.count
        let place = "\(page.lastPathComponent):\(first + 2 + line)"
        let says = found.indices.contains(line) ? found[line] : "nothing more"
        let should = wanted.indices.contains(line) ? wanted[line] : "nothing more"
        return "\(place) says \"\(says)\", where the code says \"\(should)\"; make pages renews it"
    }
}
