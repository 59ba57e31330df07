import Foundation
import Testing

/// How people see colours: the matrices are of Machado, Oliveira and Fernandes, "A Physiologically-based Model for
/// Simulation of Color Vision Deficiency" (2009), for a severity of 1.
enum ColorVision: CaseIterable {
    case full
    case withoutRed
    case withoutGreen

    private var matrix: [[Double]] {
        switch self {
        case .full: [[1, 0, 0], [0, 1, 0], [0, 0, 1]]
        case .withoutRed:
            [[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216], [-0.003882, -0.048116, 1.051998]]
        case .withoutGreen:
            [[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413], [-0.011820, 0.042940, 0.968881]]
        }
    }

    /// Returns how far apart two colours look, as their distance in Oklab (Ottosson, 2020); 0.02 is just noticeable.
    func distance(_ one: String, _ other: String) throws -> Double {
        let squares = try zip(seen(one), seen(other)).map { ($0 - $1) * ($0 - $1) }
        return squares.reduce(0, +).squareRoot()
    }

    private func seen(_ color: String) throws -> [Double] {
        let bits = try #require(Int(color.dropFirst(), radix: 16))
        let linear = [16, 8, 0].map { shift -> Double in
            let channel = Double(bits >> shift & 0xFF) / 255
            return channel <= 0.04045 ? channel / 12.92 : pow((channel + 0.055) / 1.055, 2.4)
        }
        let cones = [
            [0.4122214708, 0.5363325363, 0.0514459929], [0.2119034982, 0.6806995451, 0.1073969566],
            [0.0883024619, 0.2817188376, 0.6299787005],
        ]
        let lab = [
            [0.2104542553, 0.7936177850, -0.0040720468], [1.9779984951, -2.4285922050, 0.4505937099],
            [0.0259040371, 0.7827717662, -0.8086757660],
        ]
        let light = matrix.map { min(max(Self.sum($0, linear), 0), 1) }
        let response = cones.map { cbrt(max(Self.sum($0, light), 0)) }
        return lab.map { Self.sum($0, response) }
    }

    private static func sum(_ row: [Double], _ column: [Double]) -> Double { zip(row, column).map(*).reduce(0, +) }
}
