extension String {
    /// The text with a capital at its beginning and a full stop at its end.
    package var asSentence: String { prefix(1).uppercased() + dropFirst() + "." }
}
