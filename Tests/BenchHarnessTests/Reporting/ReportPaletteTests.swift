import Foundation
import Testing

@testable import BenchHarness
@testable import BenchReport

@Suite struct ReportPaletteTests {
    /// Contrast as WCAG 2.2 defines it: relative luminances, each with 0.05 for the light in the room.
    private func contrast(_ one: String, _ other: String) throws -> Double {
        let (a, b) = try (luminance(one), luminance(other))
        return (max(a, b) + 0.05) / (min(a, b) + 0.05)
    }

    private func luminance(_ color: String) throws -> Double {
        let bits = try #require(Int(color.dropFirst(), radix: 16))
        let channels = [16, 8, 0].map { shift -> Double in
            let channel = Double(bits >> shift & 0xFF) / 255
            return channel <= 0.04045 ? channel / 12.92 : pow((channel + 0.055) / 1.055, 2.4)
        }
        return 0.2126 * channels[0] + 0.7152 * channels[1] + 0.0722 * channels[2]
    }

    @Test(arguments: [\ReportPalette.Color.light, \.dark] as [KeyPath<ReportPalette.Color, String> & Sendable])
    func textIsLegible(scheme: KeyPath<ReportPalette.Color, String> & Sendable) throws {
        typealias Palette = ReportPalette
        for text in [Palette.ink, Palette.muted, Palette.accent, Palette.alert] {
            for ground in [Palette.ground, Palette.raised] {
                let contrast = try contrast(text[keyPath: scheme], ground[keyPath: scheme])
                #expect(contrast >= 4.5, "\(text.name) on \(ground.name)")
            }
        }
    }

    @Test(arguments: [\ReportPalette.Color.light, \.dark] as [KeyPath<ReportPalette.Color, String> & Sendable])
    func marksAndLinesStandOut(scheme: KeyPath<ReportPalette.Color, String> & Sendable) throws {
        for mark in Self.drivers + [ReportPalette.axis, ReportPalette.alert] {
            let contrast = try contrast(mark[keyPath: scheme], ReportPalette.ground[keyPath: scheme])
            #expect(contrast >= 3, "\(mark.name)")
        }
    }

    private static let drivers = (0..<DriverPalette.known.count + DriverPalette.free.count).map(DriverPalette.color)

    @Test func noTwoDriversShareAColour() {
        let names = DriverPalette.known.map(\.driver) + (0..<40).map { "driver-\($0)" }
        let colors = DriverStyle.all(names).map(\.color)
        #expect(Set(colors.map(\.name)).count == names.count)
        #expect(Set(colors.map(\.light)).count == names.count && Set(colors.map(\.dark)).count == names.count)
    }

    @Test(
        arguments: [\ReportPalette.Color.light, \.dark] as [KeyPath<ReportPalette.Color, String> & Sendable],
        ColorVision.allCases)
    func driversDifferForEveryKindOfColourVision(
        scheme: KeyPath<ReportPalette.Color, String> & Sendable, vision: ColorVision
    ) throws {
        for (index, one) in Self.drivers.enumerated() {
            for other in Self.drivers[..<index] {
                let distance = try vision.distance(one[keyPath: scheme], other[keyPath: scheme])
                #expect(distance > 0.05, "\(one.name) and \(other.name)")
            }
        }
    }

    @Test func contrastIsThatOfTheStandard() throws {
        #expect(try contrast("#000000", "#ffffff") == 21)
        #expect(abs(try contrast("#777777", "#ffffff") - 4.48) < 0.01)
    }
}
