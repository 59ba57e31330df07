/// The colours of the page in both schemes. The drivers have those of Okabe and Ito ("Color Universal Design", 2008),
/// which people with any kind of colour vision can distinguish; the palette replaces those that are too faint on a
/// scheme's background.
enum ReportPalette {
    struct Color: Sendable {
        let name: String
        let light: String
        let dark: String
    }

    static let ground = Color(name: "ground", light: "#ffffff", dark: "#14181d")
    static let raised = Color(name: "raised", light: "#f5f7f9", dark: "#1c2229")
    static let ink = Color(name: "ink", light: "#1b2129", dark: "#e6eaee")
    static let muted = Color(name: "muted", light: "#59636e", dark: "#9aa5b1")
    static let hairline = Color(name: "hairline", light: "#dfe4e9", dark: "#303842")
    static let axis = Color(name: "axis", light: "#7b8691", dark: "#76818d")
    static let accent = Color(name: "accent", light: "#005a8f", dark: "#7cc4ee")
    static let alert = Color(name: "alert", light: "#a33b00", dark: "#ff9d66")
    /// The colours of the drivers, in turn.
    static let series = [
        Color(name: "d0", light: "#0072b2", dark: "#56b4e9"), Color(name: "d1", light: "#d55e00", dark: "#e69f00"),
        Color(name: "d2", light: "#009e73", dark: "#009e73"), Color(name: "d3", light: "#c06a98", dark: "#cc79a7"),
        Color(name: "d4", light: "#1b2129", dark: "#f0e442"),
    ]

    private static let all = [ground, raised, ink, muted, hairline, axis, accent, alert] + series

    /// Declares the colours: the system's scheme, unless the reader chose one, and always light on paper.
    static var css: String {
        let light = declarations(\.light, "light")
        let dark = declarations(\.dark, "dark")
        return """
            :root { \(light) }
            @media (prefers-color-scheme: dark) { :root { \(dark) } }
            :root:has(#scheme-light:checked) { \(light) }
            :root:has(#scheme-dark:checked) { \(dark) }
            @media print { :root, :root:has(#scheme-dark:checked) { \(light) } }
            \(series.map { ".\($0.name) { --c: var(--\($0.name)); }" }.joined(separator: "\n"))

            """
    }

    private static func declarations(_ path: KeyPath<Color, String>, _ scheme: String) -> String {
        "color-scheme: \(scheme); " + all.map { "--\($0.name): \($0[keyPath: path]);" }.joined(separator: " ")
    }
}
