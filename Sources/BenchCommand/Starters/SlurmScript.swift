/// A script for `sbatch` whose array has a task for each shard of a load.
struct SlurmScript {
    let plan: ShardPlan

    var text: String {
        let task = "$SLURM_ARRAY_TASK_ID"
        let run = plan.command(
            "\"$folder/scenario-\(task).json\"", run: "slurm-$SLURM_ARRAY_JOB_ID", output: "$folder/shard-\(task).csv")
        // A task that begins again would find its place taken.
        return """
            #!/bin/sh
            #SBATCH --job-name=\(plan.name)
            #SBATCH --array=0-\(plan.count - 1)
            #SBATCH --ntasks=1
            #SBATCH --no-requeue
            #SBATCH --output=\(plan.name)-%A-%a.log
            # One load of \(plan.scenario) from \(plan.count) shards: sbatch THIS-FILE.
            # All tasks must run at the same time: sbatch --partition, --nodelist or --exclusive chooses where.
            # Each task reads the password of the server, if it needs one, from ~/.pgpass.
            # The results go to a new folder where sbatch was called, which the machines of the cluster share.
            set -u
            folder=\(plan.name)-$SLURM_ARRAY_JOB_ID
            mkdir -p "$folder" || exit
            \(ShellText.writing(plan.scenarioText, to: "\"$folder/scenario-\(task).json\"", mark: "SCENARIO"))
            \(run)

            """
    }
}
