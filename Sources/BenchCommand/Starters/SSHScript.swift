/// A script that starts each shard of a load on a machine by ssh, and fetches the results.
struct SSHScript {
    let plan: ShardPlan
    /// The machines, which take turns if there are more shards.
    let hosts: [String]

    var text: String {
        let starts = (0..<plan.count).map { "start \($0) \(ShellText.word(hosts[$0 % hosts.count]))" }
        return """
            #!/bin/sh
            # One load of \(plan.scenario) from \(plan.count) shards, on machines that ssh reaches without asking.
            # Each machine reads the password of the server, if it needs one, from its ~/.pgpass.
            # The results and the logs of all shards go to a new folder here.
            set -u
            run=ssh-$(date -u +%Y%m%dT%H%M%SZ)-$$
            folder=\(plan.name)-$run
            mkdir "$folder" || exit

            # What each machine does.
            \(ShellText.writing(shard, to: "\"$folder/shard.sh\"", mark: "SHARD"))

            processes=
            start() {
                { printf 'shard=%s run=%s\\n' "$1" "$run"; cat "$folder/shard.sh"; } |
                    ssh -o BatchMode=yes -- "$2" sh -s > "$folder/shard-$1.tar" 2> "$folder/shard-$1.log" &
                processes="$processes $!"
            }
            trap 'kill $processes; exit 130' INT TERM
            \(starts.joined(separator: "\n"))

            code=0 shard=0
            for process in $processes; do
                wait "$process" || {
                    code=$?
                    echo "shard $shard ended with $code, see $folder/shard-$shard.log" >&2
                    tail -n 1 "$folder/shard-$shard.log" >&2
                }
                [ ! -s "$folder/shard-$shard.tar" ] || tar -xf "$folder/shard-$shard.tar" -C "$folder"
                rm "$folder/shard-$shard.tar"
                shard=$((shard + 1))
            done
            [ ! -e "$folder/shard-0-merged.csv" ] || echo "Results of all shards: $folder/shard-0-merged.csv"
            exit $code

            """
    }

    /// Standard input is the script itself, and standard output is for the files of the results.
    private var shard: String {
        let run = plan.command("scenario.json", run: "$run", output: "shard-$shard.csv", shard: "$shard")
        return """
            folder=$(mktemp -d) || exit
            trap 'rm -rf "$folder"' EXIT
            trap 'exit 130' HUP INT TERM
            cd "$folder" || exit
            \(ShellText.writing(plan.scenarioText, to: "scenario.json", mark: "SCENARIO"))
            \(run) < /dev/null >&2
            code=$?
            [ ! -e "shard-$shard.csv" ] || tar -cf - shard-*
            exit $code

            """
    }
}
