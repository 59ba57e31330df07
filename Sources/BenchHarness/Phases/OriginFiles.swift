import Foundation

/// The files that phases of a scenario start from. Each is checked once, however many phases start from it.
final class OriginFiles {
    private let adopters: [any StoreAdopter]
    private var checked: Set<String> = []

    init(_ adopters: [any StoreAdopter]) { self.adopters = adopters }

    /// Returns why no driver can make a store with the records of `schema` of a file; nil if one can, or if that has
    /// been told already.
    func problem(of path: String, for schema: Schema) -> String? {
        guard checked.insert(path).inserted else { return nil }
        var reason: String?
        for adopter in adopters {
            do {
                try adopter.check(URL(fileURLWithPath: path), for: schema)
                return nil
            } catch {
                reason = reason ?? error.reason
            }
        }
        return reason
    }
}
