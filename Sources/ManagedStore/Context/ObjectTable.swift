import CSystem
import Foundation

/// Finds the live object with a given key, without keeping it alive: an open-addressing table of unretained references.
///
/// Swift's own weak references cost an allocation and some 190 ns an object; here an object takes itself out of the table
/// when it dies, and a reader retains what it finds unless its death has begun. The owner holds the lock for every call.
///
/// Keys are dense in practice, so that the key itself, its high bits folded in, is the best hash: a million objects fetched in
/// key order fill the table from front to back.
struct ObjectTable {
    private var slots: UnsafeMutablePointer<UInt>
    private var capacity: Int
    /// Slots that are not empty: objects and tombstones.
    private var used = 0
    /// Objects.
    private(set) var count = 0

    private static let empty: UInt = 0
    private static let tombstone: UInt = 1

    init() {
        capacity = 16
        slots = .allocate(capacity: capacity)
        slots.initialize(repeating: Self.empty, count: capacity)
    }

    func deallocate() {
        slots.deallocate()
    }

    /// Makes room for `additional` objects, so that adding them does not grow the table again and again.
    mutating func reserve(_ additional: Int) {
        if (used + additional) * 4 > capacity * 3 { rehash(forObjects: count + additional) }
    }

    /// The object with `key`, retained; nil if there is none or its death has begun.
    func object(_ key: Int64) -> ManagedObject? {
        var index = home(of: key)
        while slots[index] != Self.empty {
            if slots[index] != Self.tombstone, Self.key(slots[index]) == key { return Self.retained(slots[index]) }
            index = (index + 1) & (capacity - 1)
        }
        return nil
    }

    /// Adds `object` under its row's key, in the place of a dying one with the same key.
    mutating func insert(_ object: ManagedObject) {
        reserve(1)
        let key = object.row.key
        var index = home(of: key)
        var free: Int?
        while slots[index] != Self.empty {
            if slots[index] == Self.tombstone {
                free = free ?? index
            } else if Self.key(slots[index]) == key {
                slots[index] = Self.bits(object)
                return
            }
            index = (index + 1) & (capacity - 1)
        }
        if free == nil { used += 1 }
        slots[free ?? index] = Self.bits(object)
        count += 1
    }

    /// Takes `object` out, if it is in.
    mutating func remove(_ object: ManagedObject) {
        let bits = Self.bits(object)
        var index = home(of: object.row.key)
        while slots[index] != Self.empty {
            if slots[index] == bits {
                count -= 1
                let next = (index + 1) & (capacity - 1)
                // A slot before an empty one ends no probe, so it needs no tombstone.
                if slots[next] == Self.empty {
                    slots[index] = Self.empty
                    used -= 1
                } else {
                    slots[index] = Self.tombstone
                }
                return
            }
            index = (index + 1) & (capacity - 1)
        }
    }

    /// All objects whose death has not begun, retained.
    func objects() -> [ManagedObject] {
        var objects: [ManagedObject] = []
        objects.reserveCapacity(count)
        for index in 0..<capacity where slots[index] > Self.tombstone {
            if let object = Self.retained(slots[index]) { objects.append(object) }
        }
        return objects
    }

    private mutating func rehash(forObjects objects: Int) {
        let (old, oldCapacity) = (slots, capacity)
        capacity = 16
        while capacity < objects * 2 { capacity *= 2 }
        slots = .allocate(capacity: capacity)
        slots.initialize(repeating: Self.empty, count: capacity)
        for index in 0..<oldCapacity where old[index] > Self.tombstone {
            var free = home(of: Self.key(old[index]))
            while slots[free] != Self.empty { free = (free + 1) & (capacity - 1) }
            slots[free] = old[index]
        }
        used = count
        old.deallocate()
    }

    @inline(__always) private func home(of key: Int64) -> Int {
        let bits = UInt64(bitPattern: key)
        return Int(truncatingIfNeeded: bits ^ (bits >> 20) ^ (bits >> 40)) & (capacity - 1)
    }

    @inline(__always) private static func bits(_ object: ManagedObject) -> UInt {
        UInt(bitPattern: Unmanaged.passUnretained(object).toOpaque())
    }

    /// The key of an object in the table: its memory is valid, dying or not, until it has taken itself out.
    @inline(__always) private static func key(_ bits: UInt) -> Int64 {
        guard let pointer = UnsafeRawPointer(bitPattern: bits) else { return 0 }
        return Unmanaged<ManagedObject>.fromOpaque(pointer)._withUnsafeGuaranteedRef { $0.row.key }
    }

    private static func retained(_ bits: UInt) -> ManagedObject? {
        guard let pointer = UnsafeMutableRawPointer(bitPattern: bits), swift_tryRetain(pointer) != nil else {
            return nil
        }
        return Unmanaged<ManagedObject>.fromOpaque(pointer).takeRetainedValue()
    }

    /// Checks what must hold between calls.
    func _checkInvariants() {
        let objects = (0..<capacity).filter { slots[$0] > Self.tombstone }
        let tombstones = (0..<capacity).filter { slots[$0] == Self.tombstone }
        precondition(objects.count == count, "the count is off")
        precondition(objects.count + tombstones.count == used, "the number of used slots is off")
        precondition(used < capacity, "a probe would never end")
        for index in objects {
            var probe = home(of: Self.key(slots[index]))
            while probe != index {
                precondition(slots[probe] != Self.empty, "an object cannot be found from its home slot")
                probe = (probe + 1) & (capacity - 1)
            }
        }
    }
}
