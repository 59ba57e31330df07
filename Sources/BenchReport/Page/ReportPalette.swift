import BenchHarness

/// The colours of pages and pictures in both schemes, besides those of the drivers, which are in `DriverPalette`.
enum ReportPalette {
    typealias Color = DriverPalette.Color

    static let ground = Color(name: "ground", light: "#ffffff", dark: "#14181d")
    static let raised = Color(name: "raised", light: "#f5f7f9", dark: "#1c2229")
    static let ink = Color(name: "ink", light: "#1b2129", dark: "#e6eaee")
    static let muted = Color(name: "muted", light: "#59636e", dark: "#9aa5b1")
    static let hairline = Color(name: "hairline", light: "#dfe4e9", dark: "#303842")
    static let axis = Color(name: "axis", light: "#7b8691", dark: "#76818d")
    static let accent = Color(name: "accent", light: "#005a8f", dark: "#7cc4ee")
    static let alert = Color(name: "alert", light: "#a33b00", dark: "#ff9d66")

    private static let all = [ground, raised, ink, muted, hairline, axis, accent, alert]

    /// Declares the colours on a page, with those of `styles`: the system's scheme, unless the reader chose one, and
    /// always light on paper.
    static func pageCSS(_ styles: [DriverStyle]) -> String {
        let light = declarations(\.light, "light", styles)
        let dark = declarations(\.dark, "dark", styles)
        return """
            :root { \(light) }
            @media (prefers-color-scheme: dark) { :root { \(dark) } }
            :root:has(#scheme-light:checked) { \(light) }
            :root:has(#scheme-dark:checked) { \(dark) }
            @media print { :root, :root:has(#scheme-dark:checked) { \(light) } }
            \(classes(styles))

            """
    }

    /// Declares the colours in a picture, which follows the scheme of what shows it.
    static func pictureCSS(_ styles: [DriverStyle]) -> String {
        """
        :root { \(declarations(\.light, "light", styles)) }
        @media (prefers-color-scheme: dark) { :root { \(declarations(\.dark, "dark", styles)) } }
        \(classes(styles))

        """
    }

    private static func classes(_ styles: [DriverStyle]) -> String {
        colors(styles).map { ".\($0.name) { --c: var(--\($0.name)); }" }.joined(separator: "\n")
    }

    private static func declarations(
        _ path: KeyPath<Color, String>, _ scheme: String, _ styles: [DriverStyle]
    ) -> String {
        let colors = (all + colors(styles)).map { "--\($0.name): \($0[keyPath: path]);" }
        return "color-scheme: \(scheme); " + colors.joined(separator: " ")
    }

    private static func colors(_ styles: [DriverStyle]) -> [Color] { styles.map(\.color).withoutRepeats }
}
