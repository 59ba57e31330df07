/// Gives some records of a closed store values that no driver has seen, for the harness.
///
/// A driver gets the generator of all records, so that it could make a result up instead of reading it. Before each
/// phase on seeded records, the harness draws new values for about one record in a thousand, and has a planter write
/// them. A planter shares no code with the sessions of a driver; for a store in SQLite files, it writes them by SQL.
public protocol StorePlanter {
    /// Sets the values in the store, which no session has open. Nothing may remain to be recovered or written back.
    func plant(_ values: PlantedValues) throws
}
