/// What starts the processes of a job tells each of them which one it is.
extension Shard {
    /// The variables of a starter.
    private struct Variables {
        let index: String
        let count: String
        /// The variable with the first index, if that may be other than 0.
        var first: String?
    }

    /// The variable with the number of shards where Kubernetes names only the index.
    public static let countVariable = "BENCH_SHARDS"

    /// In the order in which they are asked: a step of a job is within it.
    private static let starters = [
        Variables(index: "OMPI_COMM_WORLD_RANK", count: "OMPI_COMM_WORLD_SIZE"),
        Variables(index: "SLURM_PROCID", count: "SLURM_NTASKS"),
        Variables(index: "SLURM_ARRAY_TASK_ID", count: "SLURM_ARRAY_TASK_COUNT", first: "SLURM_ARRAY_TASK_MIN"),
        Variables(index: "JOB_COMPLETION_INDEX", count: countVariable),
    ]

    /// Returns the shard that the environment of a process names: by Open MPI, by a step or an array of Slurm, or by an
    /// indexed job of Kubernetes with ``countVariable``. A starter of a single process is passed over.
    ///
    /// - Throws: `RunError` if no starter names one, or if one names a shard that there cannot be.
    public static func named(in environment: [String: String]) throws(RunError) -> Shard {
        for starter in starters {
            guard let index = environment[starter.index], let count = environment[starter.count], count != "1" else {
                continue
            }
            let first = starter.first.flatMap { environment[$0] } ?? "0"
            guard let number = Int(index), let start = Int(first), let total = Int(count),
                let shard = Shard(index: number - start, count: total)
            else {
                throw RunError(
                    .meeting,
                    "\(starter.index)=\(index) and \(starter.count)=\(count) name no shard; expected one of \(count) "
                        + "indices from \(first), and at most \(most) shards")
            }
            return shard
        }
        let names = starters.map { "\($0.index) with \($0.count)" }.joined(separator: ", ")
        throw RunError(.meeting, "no shard is named; give --shard INDEX/COUNT, or set \(names)")
    }
}
