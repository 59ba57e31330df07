/// Why a time by the clock is not judged.
struct Disturbance: Sendable, Equatable {
    enum Kind: Int, Sendable {
        case fewLaunches
        case noProcessorTimes
        case others
        case quota
    }

    let kind: Kind
    /// The extent, as a share.
    var share = 0.0

    var text: String {
        let extent = Figure.percent(share)
        return switch kind {
        case .fewLaunches:
            "fewer than \(SequentialTest.fewest) launches on a quiet machine; a larger --budget allows more"
        case .noProcessorTimes: "the system has no /proc/stat, which shows whether the machine is quiet"
        case .others: "other processes used up to \(extent) of a core"
        case .quota: "a CPU quota stopped the processes in up to \(extent) of the time"
        }
    }
}

extension Sequence<Disturbance> {
    /// The one with the largest share; nil if there is none.
    var worst: Disturbance? { self.max { $0.share < $1.share } }
}
