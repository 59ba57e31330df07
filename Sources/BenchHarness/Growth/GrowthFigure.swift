import Foundation

/// A figure whose growth is fitted: the name of the figure in a row, and its format per record.
package enum GrowthFigure: String, Sendable, CaseIterable {
    /// The duration.
    case time
    /// The increase of resident memory within the phase, from its start to its peak.
    case memory

    /// The figure's column in the CSV.
    package var column: FigureColumn {
        switch self {
        case .time: .duration
        case .memory: .peakGrowth
        }
    }

    /// The smallest value that reflects the work. The allocator requests memory from the kernel in chunks, and the
    /// fixed memory of a phase has the same order of magnitude.
    var resolution: Double {
        switch self {
        case .time: 1
        case .memory: 1_048_576
        }
    }

    /// Returns the figure per record, formatted for people.
    package func text(_ perRecord: Double) -> String {
        switch self {
        case .time: perRecord < 100 ? String(format: "%.1f ns", perRecord) : Figure.duration(perRecord)
        case .memory: String(format: perRecord < 100 ? "%.1f B" : "%.0f B", perRecord)
        }
    }
}
