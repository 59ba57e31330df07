/// What the starters of the shards of a load have in common: a scenario, and how each shard runs it.
struct ShardPlan {
    /// The name of the job, and the beginning of those of files: small letters, digits and dashes.
    var name: String
    /// The number of shards.
    var count: Int
    /// The name of the scenario.
    var scenario: String
    /// The content of its file, which goes with the job, so that all machines have the same.
    var scenarioText: String
    /// The program on each machine.
    var program = "bench"
    /// Where the shards meet, as `--meeting` reads it; nil for a new name on the server for each start of the job.
    var meeting: String?
    /// The options of `bench run` for all shards, each with its value.
    var options: [[String]]

    /// Returns the command of a shard.
    ///
    /// - Parameters:
    ///   - file: The file of the scenario, as the shell reads it.
    ///   - run: The name of the run where none is given, as the shell reads it.
    ///   - output: The results, as the shell reads them.
    ///   - shard: The number of the shard, as the shell reads it; nil if the environment has it.
    func command(_ file: String, run: String, output: String, shard: String? = nil) -> String {
        let meeting = self.meeting.map(ShellText.word) ?? "\"store:\(run)\""
        var parts = ["\(ShellText.word(program)) run \(file)"]
        if let shard { parts.append("--shard \"\(shard)/\(count)\"") }
        parts += ["--meeting \(meeting)", "--output \"\(output)\""]
        parts += options.map { $0.map(ShellText.word).joined(separator: " ") }
        return parts.joined(separator: " \\\n    ")
    }
}
