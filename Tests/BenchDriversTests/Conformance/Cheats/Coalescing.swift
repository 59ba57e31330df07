import BenchHarness
import ForwardingDriver

/// Writes more in one go than is right: a range of neighbours, or one value for all.
final class Coalescing: ForwardingSession {
    enum Shortcut {
        /// Gives all records the value that was drawn for the first.
        case oneValue
        /// Cuts drawn texts to the least length, so that rows keep theirs.
        case oneLength
        /// Changes the records that the filter leaves out too.
        case everyRecord
    }

    private let shortcut: Shortcut

    init(_ base: any StoreSession, _ shortcut: Shortcut) {
        self.shortcut = shortcut
        super.init(base)
    }

    override func prepareUpdate(_ work: UpdateWork) throws { try super.prepareUpdate(shortened(work)) }

    override func update(_ work: UpdateWork, monitor: PhaseMonitor) throws {
        try super.update(shortened(work), monitor: monitor)
    }

    private func shortened(_ work: UpdateWork) -> UpdateWork {
        var work = work
        if shortcut == .everyRecord { work.filter = nil }
        for index in work.set.indices {
            guard case .draw(let draw) = work.set[index].operation else { continue }
            switch (shortcut, draw.generator) {
            case (.oneValue, _): work.set[index].operation = .assign(draw.value(0))
            case (.oneLength, .randomLengths(let least, _)):
                work.set[index].operation = .draw(
                    AttributeDraw(type: draw.type, generator: .random(length: least), seed: draw.seed))
            default: break
            }
        }
        return work
    }
}
