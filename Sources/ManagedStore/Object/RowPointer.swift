import Foundation

/// The bytes of a row: the key, the version, the null bits, then the fields.
///
/// The size is that of a raw pointer. The type keeps the members of a row off other raw pointers, and debug builds
/// check each address that becomes a row. The row is valid as long as its page lives and does not grow.
public struct RowPointer: Equatable {
    /// The row's first byte.
    @usableFromInline let address: UnsafeMutableRawPointer

    /// - Parameter address: A row's first byte.
    @inlinable @inline(__always) init(_ address: UnsafeMutableRawPointer) {
        assert(UInt(bitPattern: address) & 7 == 0, "a row starts at a multiple of 8 bytes")
        assert(UInt(bitPattern: address) >> 48 == 0, "an object keeps its state above the 48 bits of its row's address")
        self.address = address
    }

    /// Reads the value at `offset`, which must be a multiple of its alignment.
    @inlinable @inline(__always) func load<Value: BitwiseCopyable>(
        fromByteOffset offset: Int, as type: Value.Type
    ) -> Value {
        address.load(fromByteOffset: offset, as: type)
    }

    /// Writes a value at `offset`.
    @inlinable @inline(__always) func storeBytes<Value: BitwiseCopyable>(
        of value: Value, toByteOffset offset: Int, as type: Value.Type
    ) {
        address.storeBytes(of: value, toByteOffset: offset, as: type)
    }

    /// Returns the `count` bytes at `offset`, valid until the row changes.
    @inlinable @inline(__always) func bytes(at offset: Int, count: Int) -> UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(start: address + offset, count: count)
    }

    /// Writes `count` bytes at `offset`. The source must not overlap them.
    @inline(__always) func copyMemory(from start: UnsafeRawPointer, toByteOffset offset: Int = 0, byteCount count: Int)
    {
        (address + offset).copyMemory(from: start, byteCount: count)
    }

    /// Writes zeros at `offset`.
    @inline(__always) func clear(at offset: Int, count: Int) {
        memset(address + offset, 0, count)
    }
}

// MARK: - Header

extension RowPointer {
    /// The row's place in its page, as a multiple of eight bytes from the start of the first row.
    @inlinable var place: Int {
        get { Int(load(fromByteOffset: RowLayout.firstWord, as: UInt32.self) & RowLayout.placeMask) }
        nonmutating set {
            let bits = load(fromByteOffset: RowLayout.firstWord, as: UInt32.self) & ~RowLayout.placeMask
            storeBytes(of: bits | UInt32(newValue), toByteOffset: RowLayout.firstWord, as: UInt32.self)
        }
    }

    /// The primary key; negative while it is temporary.
    var key: Int64 {
        get { load(fromByteOffset: 0, as: Int64.self) }
        nonmutating set { storeBytes(of: newValue, toByteOffset: 0, as: Int64.self) }
    }

    /// The number of times the row was saved (`Z_OPT`), which optimistic locking compares.
    var version: Int32 {
        get { load(fromByteOffset: RowLayout.versionOffset, as: Int32.self) }
        nonmutating set { storeBytes(of: newValue, toByteOffset: RowLayout.versionOffset, as: Int32.self) }
    }
}
