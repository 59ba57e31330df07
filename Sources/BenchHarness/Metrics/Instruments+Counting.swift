extension Instruments {
    /// Returns the instruments of this platform, with a counter, and without those that work while a phase runs.
    package static func counting(with counter: any InstructionCounter) -> Instruments {
        var instruments = Instruments.platform
        instruments.stalls = NoStalls()
        instruments.calibrate = nil
        instruments.counter = { counter }
        return instruments
    }
}
