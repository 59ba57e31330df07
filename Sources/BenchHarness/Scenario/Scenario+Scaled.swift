extension Scenario {
    /// The same scenario with `factor` times the records, at each of its sizes, and with every count that is a share of
    /// them scaled alike. Sizes that become one are done once.
    ///
    /// What was at least 1 stays at least 1, and a merge keeps enough records for its saves not to meet: where it would
    /// not, it gets fewer saves, then fewer writers.
    /// - Precondition: `factor` is above 0 and finite; a command checks what it was given.
    public func scaled(by factor: Double) -> Scenario {
        precondition(factor > 0 && factor.isFinite, "a scenario is scaled by a finite number above 0, not by \(factor)")
        var scaled = self
        scaled.records = records.scaled(by: factor)
        scaled.sizes = sizes?.map { $0.scaled(by: factor) }.withoutRepeats
        scaled.entity.owner?.records = entity.owner?.records.scaled(by: factor) ?? 0
        let least = scaled.allSizes[0]
        for index in scaled.phases.indices {
            let work = phases[index].work.scaled(by: factor, records: least)
            scaled.phases[index].work = work.naming(ownersOf: scaled.entity)
        }
        return scaled
    }
}

extension Phase.Work {
    fileprivate func scaled(by factor: Double, records: Int) -> Phase.Work {
        switch self {
        case .seed(var work):
            work.saveEvery = work.saveEvery.scaled(by: factor)
            return .seed(work)
        case .fetch(var work):
            work.limit = work.limit.scaled(by: factor)
            // A fetch is cancelled before its last record, if it has more than one.
            let found = work.limit == 0 ? records : min(work.limit, records)
            work.cancelAfterRecords = work.cancelAfterRecords.map { max(1, min($0.scaled(by: factor), found - 1)) }
            return .fetch(work)
        case .update(var work):
            work.chunkSize = work.chunkSize.scaled(by: factor)
            return .update(work)
        case .merge(var work):
            work.scale(by: factor, records: records)
            return .merge(work)
        case .load(var work):
            work.scale(by: factor, records: records)
            return .load(work)
        case .checkpoint:
            return .checkpoint
        }
    }
}

extension Phase.Work {
    /// The same work where there are fewer owners: whoever names one that is not there any more is given the last.
    fileprivate func naming(ownersOf entity: EntitySpec) -> Phase.Work {
        guard let owner = entity.owner, case .update(var work) = self else { return self }
        for index in work.set.indices where work.set[index].attribute == owner.relationship {
            guard case .assign(.int64(let number)) = work.set[index].operation else { continue }
            work.set[index].operation = .assign(.int64(min(number, Int64(owner.records))))
        }
        return .update(work)
    }
}

extension MergeWork {
    fileprivate mutating func scale(by factor: Double, records: Int) {
        insertsPerSave = insertsPerSave.scaled(by: factor)
        changesPerSave = changesPerSave.scaled(by: factor)
        deletesPerSave = deletesPerSave.scaled(by: factor)
        changesPerSave = min(changesPerSave, records)
        deletesPerSave = min(deletesPerSave, records - changesPerSave)
        let perSave = changesPerSave + deletesPerSave
        guard perSave > 0 else { return }
        writers = min(writers, records / perSave)
        savesPerWriter = min(savesPerWriter, records / (writers * perSave))
    }
}

extension LoadWork {
    /// Records and operations; times and rates are not a share of them.
    fileprivate mutating func scale(by factor: Double, records: Int) {
        pace.operations = pace.operations.map { $0.scaled(by: factor) }
        switch source {
        case .mix(var spec):
            if case .hotSet(let hot, let share) = spec.keys {
                spec.keys = .hotSet(records: min(hot.scaled(by: factor), records), share: share)
            }
            source = .mix(spec)
        case .saves(var spec):
            spec.hotRecords = min(spec.hotRecords.scaled(by: factor), records)
            spec.windowRecords = spec.windowRecords.scaled(by: factor)
            spec.changesPerSave = min(
                spec.changesPerSave, LoadWork.changesMax(spec, records: records, workers: workers))
            source = .saves(spec)
        }
    }

    /// Records that one save can change without naming one twice.
    static func changesMax(_ spec: SaveSpec, records: Int, workers: Int) -> Int {
        let hot = min(spec.hotRecords, records)
        let part = (records - hot) / max(workers, 1)
        if part == 0 { return hot }
        return (spec.contention < 1 ? part : 0) + (spec.contention > 0 ? hot : 0)
    }
}

extension Int {
    /// At least 1 if it was, at most what a scenario may have.
    fileprivate func scaled(by factor: Double) -> Int {
        guard self > 0 else { return self }
        let product = (Double(self) * factor).rounded()
        return Int(Swift.min(Swift.max(product, 1), Double(ScenarioLimits.records.upperBound)))
    }
}
