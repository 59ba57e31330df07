import Foundation

/// What is installed for Python, for tests that read formats of others.
enum Python {
    static let isInstalled = hasModule("csv")
    static let hasYAML = hasModule("yaml")
    static let hasKubernetesValidate = hasModule("kubernetes_validate")

    private static func hasModule(_ name: String) -> Bool {
        (try? Script.run("/usr/bin/env", ["python3", "-c", "import \(name)"]))?.code == 0
    }
}
