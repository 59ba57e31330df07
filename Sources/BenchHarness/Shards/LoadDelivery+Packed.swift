import Foundation

extension LoadDelivery: Packable {
    func pack(into bytes: inout PackedBytes) {
        ledgers.pack(into: &bytes)
        traces.pack(into: &bytes)
        bytes.append(clock.offset)
        bytes.append(clock.uncertainty)
        bytes.append(mask)
        bytes.append(lateStart)
        bytes.append((try? JSONEncoder().encode(problems)) ?? Data())
    }

    init(from bytes: inout PackedBytes.Reader) throws {
        ledgers = try [Ledger](from: &bytes)
        traces = try [LoadTrace](from: &bytes)
        clock = MeetingClock(offset: try bytes.integer(), uncertainty: try bytes.integer())
        mask = try bytes.number()
        lateStart = try bytes.integer()
        problems = try JSONDecoder().decode([String].self, from: bytes.content())
    }
}

extension Ledger: Packable {
    func pack(into bytes: inout PackedBytes) {
        entries.pack(into: &bytes)
        doubtful.pack(into: &bytes)
    }

    init(from bytes: inout PackedBytes.Reader) throws {
        self.init()
        for (ordinal, entry) in try [Int: Entry](from: &bytes) { settle(ordinal, entry) }
        settle(doubtful: try [LoadOperation](from: &bytes))
    }
}

extension Ledger.Entry: Packable {
    func pack(into bytes: inout PackedBytes) {
        bytes.append((isShared ? 1 : 0) | Self.bits(isInserted) << 1 | Self.bits(isDeleted) << 3)
        bytes.append(changes)
        bytes.append(doubtful)
        writes.pack(into: &bytes)
        history.pack(into: &bytes)
    }

    init(from bytes: inout PackedBytes.Reader) throws {
        self.init()
        let flags = try bytes.flags()
        isShared = flags & 1 != 0
        (isInserted, isDeleted) = (Self.flag(flags >> 1), Self.flag(flags >> 3))
        (changes, doubtful) = (try bytes.integer(), try bytes.integer())
        writes = try [Int: [Ledger.Write]](from: &bytes)
        history = try [Ledger.Change](from: &bytes)
    }

    private static func bits(_ flag: Bool?) -> UInt8 { flag.map { $0 ? 1 : 2 } ?? 0 }
    private static func flag(_ bits: UInt8) -> Bool? { bits & 3 == 0 ? nil : bits & 3 == 1 }
}

extension Ledger.Write: Packable {
    func pack(into bytes: inout PackedBytes) {
        LoadTrace.Span(start: start, end: end, isAcknowledged: isAcknowledged).pack(into: &bytes)
        bytes.append(revision: revision)
    }

    init(from bytes: inout PackedBytes.Reader) throws {
        let span = try LoadTrace.Span(from: &bytes)
        self.init(
            revision: try bytes.revision(), start: span.start, end: span.end, isAcknowledged: span.isAcknowledged)
    }
}

extension Ledger.Change: Packable {
    func pack(into bytes: inout PackedBytes) {
        attributes.pack(into: &bytes)
        write.pack(into: &bytes)
    }

    init(from bytes: inout PackedBytes.Reader) throws {
        self.init(attributes: try [Int](from: &bytes), write: try Ledger.Write(from: &bytes))
    }
}

// Few, so that their form matters little.
extension LoadOperation: Packable {
    func pack(into bytes: inout PackedBytes) { bytes.append((try? JSONEncoder().encode(self)) ?? Data()) }
    init(from bytes: inout PackedBytes.Reader) throws {
        self = try JSONDecoder().decode(Self.self, from: bytes.content())
    }
}

extension LoadTrace.Span: Packable {
    func pack(into bytes: inout PackedBytes) {
        bytes.append(time: start)
        bytes.append(UInt64(bitPattern: Int64(end &- start)) << 1 | (isAcknowledged ? 1 : 0))
    }

    init(from bytes: inout PackedBytes.Reader) throws {
        let (start, rest) = (try bytes.time(), try bytes.number())
        self.init(start: start, end: start &+ Int(rest >> 1), isAcknowledged: rest & 1 != 0)
    }
}

extension ReadRecord: Packable {
    func pack(into bytes: inout PackedBytes) {
        bytes.append(hash: checksum)
        bytes.append(version.map { Int($0) + (($0 < 0) ? 0 : 1) } ?? 0)
    }

    init(from bytes: inout PackedBytes.Reader) throws {
        let (checksum, version) = (try bytes.hash(), try bytes.integer())
        self.init(checksum: checksum, version: nil)
        if version != 0 { self.version = Int32(truncatingIfNeeded: version > 0 ? version - 1 : version) }
    }
}

extension LoadTrace.Read: Packable {
    func pack(into bytes: inout PackedBytes) {
        bytes.append(ordinal)
        record.pack(into: &bytes)
        span.pack(into: &bytes)
        bytes.append(ownRevision == nil ? UInt8(0) : 1)
        if let ownRevision { bytes.append(revision: ownRevision) }
    }

    init(from bytes: inout PackedBytes.Reader) throws {
        self.init(
            ordinal: try bytes.integer(), record: try ReadRecord(from: &bytes), span: try LoadTrace.Span(from: &bytes))
        if try bytes.flags() != 0 { ownRevision = try bytes.revision() }
    }
}

extension LoadTrace.Change: Packable {
    func pack(into bytes: inout PackedBytes) {
        bytes.append(ordinal)
        attributes.pack(into: &bytes)
        bytes.append(revision: revision)
        span.pack(into: &bytes)
    }

    init(from bytes: inout PackedBytes.Reader) throws {
        self.init(
            ordinal: try bytes.integer(), attributes: try [Int](from: &bytes), revision: try bytes.revision(),
            span: try LoadTrace.Span(from: &bytes))
    }
}

extension LoadTrace.Scan: Packable {
    func pack(into bytes: inout PackedBytes) {
        range.pack(into: &bytes)
        records.pack(into: &bytes)
        span.pack(into: &bytes)
    }

    init(from bytes: inout PackedBytes.Reader) throws {
        self.init(
            range: try Range<Int>(from: &bytes), records: try [ReadRecord](from: &bytes),
            span: try LoadTrace.Span(from: &bytes))
    }
}

extension LoadTrace.Miss: Packable {
    func pack(into bytes: inout PackedBytes) {
        operation.pack(into: &bytes)
        span.pack(into: &bytes)
    }

    init(from bytes: inout PackedBytes.Reader) throws {
        self.init(operation: try LoadOperation(from: &bytes), span: try LoadTrace.Span(from: &bytes))
    }
}

extension LoadTrace.Passage: Packable {
    func pack(into bytes: inout PackedBytes) {
        ordinals.pack(into: &bytes)
        span.pack(into: &bytes)
    }

    init(from bytes: inout PackedBytes.Reader) throws {
        self.init(ordinals: try Range<Int>(from: &bytes), span: try LoadTrace.Span(from: &bytes))
    }
}
