import Foundation

/// What grows: how a figure of a row is called, and how it is written by the record.
enum GrowthFigure: String, Sendable, CaseIterable {
    /// The duration.
    case time
    /// What the peak of resident memory within the phase had more than there was before it.
    case memory

    /// Where it stands in the CSV.
    var column: FigureColumn {
        switch self {
        case .time: .duration
        case .memory: .peakGrowth
        }
    }

    /// How much a figure must be to tell of the work. The allocator asks the kernel for memory in pieces, and what a
    /// phase needs in any case lies in the same range.
    var resolution: Double {
        switch self {
        case .time: 1
        case .memory: 1_048_576
        }
    }

    /// A figure divided by the records, for people.
    func text(_ perRecord: Double) -> String {
        switch self {
        case .time: perRecord < 100 ? String(format: "%.1f ns", perRecord) : Figure.duration(perRecord)
        case .memory: String(format: perRecord < 100 ? "%.1f B" : "%.0f B", perRecord)
        }
    }
}
