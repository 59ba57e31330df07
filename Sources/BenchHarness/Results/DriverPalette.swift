import Foundation

/// The colours of drivers, which people with any kind of colour vision can distinguish. Those that other drivers are
/// most often compared with differ most.
package enum DriverPalette {
    /// A colour in both schemes.
    package struct Color: Sendable, Hashable {
        package let name: String
        package let light: String
        package let dark: String

        package init(name: String, light: String, dark: String) {
            self.name = name
            self.light = light
            self.dark = dark
        }
    }

    /// The drivers whose colours are fixed, and these.
    static let known: [(driver: String, light: String, dark: String)] = [
        ("managed", "#0072b2", "#56b4e9"), ("sqlite", "#3a434d", "#dfe5ea"), ("sqlite-tuned", "#cc7a00", "#e69f00"),
        ("grdb", "#a73b6d", "#e8acac"), ("grdb-fast", "#a770f2", "#9b63e4"), ("lmdb", "#009e73", "#009e73"),
        ("managed-postgres", "#629bb4", "#6ed3fb"), ("postgres", "#3c1c6b", "#6859ae"),
        ("postgres-tuned", "#940403", "#e65812"),
    ]
    /// The colours of other drivers, in turn; further ones are only different.
    static let free = [
        ("#228a8f", "#34766a"), ("#71631d", "#fafc46"), ("#84307f", "#ce8eb1"), ("#571a28", "#c52d1f"),
        ("#294d19", "#cdeb9a"), ("#867243", "#fac20e"), ("#1245b9", "#747daa"),
    ]
    /// Returns the number of each driver's colour. Those of drivers without a fixed one depend only on which there are.
    package static func slots(_ drivers: [String]) -> [Int] {
        let unknown = Set(drivers).filter { slot(ofKnown: $0) == nil }.sorted()
        return drivers.map { slot(ofKnown: $0) ?? known.count + (unknown.firstIndex(of: $0) ?? 0) }
    }

    /// Returns the number of the colour of a driver; nil if none is fixed.
    private static func slot(ofKnown driver: String) -> Int? { known.firstIndex { $0.driver == driver } }

    /// Returns the colour of each driver.
    static func colors(_ drivers: [String]) -> [Color] { slots(drivers).map(color) }

    /// Returns a colour by its number, from 0.
    package static func color(_ slot: Int) -> Color {
        let pairs = known.map { ($0.light, $0.dark) } + free
        let pair =
            slot < pairs.count
            ? pairs[slot] : (turned(slot, lightness: 0.34), turned(slot, lightness: 0.7))
        return Color(name: "d\(slot)", light: pair.0, dark: pair.1)
    }

    /// Returns a colour whose hue is the golden angle from the previous one's, so that no two are alike.
    private static func turned(_ slot: Int, lightness: Double) -> String {
        let hue = (Double(slot) * 137.508).truncatingRemainder(dividingBy: 360)
        let chroma = 0.6 * min(lightness, 1 - lightness)
        let channels = [0.0, 8, 4].map { offset in
            // The conversion of CSS Color 4, section 7.1.
            let k = (offset + hue / 30).truncatingRemainder(dividingBy: 12)
            return Int((255 * (lightness - chroma * max(-1, min(k - 3, 9 - k, 1)))).rounded())
        }
        return "#" + channels.map { String(format: "%02x", $0) }.joined()
    }
}
