import Foundation

/// The growth of figures with the number of records as a table: the cost per record at each size, and the exponent.
package struct GrowthTable {
    private let growth: GrowthSummary

    init(_ growth: GrowthSummary) {
        self.growth = growth
    }

    func table(repeatsNames: Bool) -> TextTable {
        var table = TextTable(columns)
        for phase in growth.phases {
            for (place, line) in phase.lines.enumerated() {
                for (row, curve) in line.curves.enumerated() {
                    let names = [
                        place + row == 0 || repeatsNames ? phase.key.phase : "",
                        row == 0 || repeatsNames ? line.driver : "", curve.figure.rawValue,
                    ]
                    table.append(
                        TextTable.Row(
                            cells: names + figures(phase, curve), style: curve.style, startsGroup: place + row == 0))
                }
            }
        }
        return table
    }

    private var columns: [TextTable.Column] {
        let sizes = growth.sizes.enumerated().map { place, size in
            // The smallest and the largest size stay longest: they show the growth.
            let isInner = place > 0 && place < growth.sizes.count - 1
            return TextTable.Column.right(Figure.count(size), dropped: isInner ? 3 : 4)
        }
        let limit = growth.maxExponent.map { "at most \(String(format: "%g", $0))" } ?? ""
        return [.name("growth"), .name("driver"), .left("a record")] + sizes
            + [.right("exponent"), .right("95 % interval", dropped: 2), .right("steepest", dropped: 1), .remark(limit)]
    }

    private func figures(_ phase: GrowthSummary.Phase, _ curve: GrowthCurve) -> [String] {
        let points = growth.sizes.map { size in
            curve.points.first { $0.records == size }.map { curve.figure.text($0.perRecord) } ?? ""
        }
        guard phase.isProportional else {
            return points + ["", "", "", "the work does not grow with the records"]
        }
        return points + [
            curve.fit.map { Self.exponent($0.exponent) } ?? "insufficient data",
            curve.fit.map { "\(Self.exponent($0.interval.lowerBound)) … \(Self.exponent($0.interval.upperBound))" }
                ?? "",
            curve.steepest.map { Self.exponent($0.exponent) } ?? "", remark(curve),
        ]
    }

    /// Returns the verdict, and the size up to which the figure is too small.
    private func remark(_ curve: GrowthCurve) -> String {
        let verdict = curve.verdict == .insufficientData ? nil : curve.verdict?.rawValue
        return [verdict, curve.remark].compactMap { $0 }.joined(separator: "; ")
    }

    package static func exponent(_ value: Double) -> String { String(format: "%.3f", value) }
}

extension PowerLaw {
    /// The exponent with its interval, for messages.
    package var text: String {
        let ends = "\(GrowthTable.exponent(interval.lowerBound)) … \(GrowthTable.exponent(interval.upperBound))"
        return "\(GrowthTable.exponent(exponent)) (\(ends))"
    }
}

extension GrowthCurve {
    /// The sizes that the fit leaves out, in words; nil if it uses all.
    package var remark: String? {
        leftOut.last.map { "less than 1 MiB at \(Figure.count($0)), which is too little to judge" }
    }

    fileprivate var style: TextTable.Style {
        switch verdict {
        case .missed: .bad
        case .notDecided: .doubtful
        default: .plain
        }
    }
}
