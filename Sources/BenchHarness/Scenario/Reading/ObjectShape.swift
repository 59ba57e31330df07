/// The description of one kind of object in a scenario. The reader refuses every key that is not in it, and
/// ``ScenarioSchema`` tells editors the same.
struct ObjectShape: Sendable {
    /// The object's name in the schema.
    let name: String
    /// What the object is for, in a sentence or two.
    let help: String?
    /// The keys in the order of the documentation.
    let members: [Key]
    /// The names of the keys that every such object has.
    let required: [String]
    /// The names of all keys, the required ones first.
    let keys: [String]

    init(_ name: String, _ help: String? = nil, keys members: [Key]) {
        self.name = name
        self.help = help
        self.members = members
        required = members.filter(\.isRequired).map(\.name)
        keys = required + members.filter { !$0.isRequired }.map(\.name)
    }

    /// Returns what the values of a key may be; nil if there is no such key.
    func value(of key: String) -> ValueShape? { members.first { $0.name == key }?.value.resolved }

    /// A key: all that is known of it.
    struct Key: Sendable {
        let name: String
        let value: ValueShape
        /// What the value means; nil if the value's own description says it.
        let help: String?
        let isRequired: Bool

        static func required(_ name: String, _ value: ValueShape, _ help: String? = nil) -> Key {
            Key(name: name, value: value, help: help, isRequired: true)
        }

        static func optional(_ name: String, _ value: ValueShape, _ help: String? = nil) -> Key {
            Key(name: name, value: value, help: help, isRequired: false)
        }
    }
}
