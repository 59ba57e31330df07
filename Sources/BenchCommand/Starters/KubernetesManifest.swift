import BenchHarness

/// A manifest of Kubernetes: an indexed job with a pod for each shard of a load, and a map with what the pods run.
struct KubernetesManifest {
    let plan: ShardPlan
    let image: String
    /// The name of the Secret with the password of the server.
    let secret: String

    /// The key of the password in the Secret.
    static let passwordKey = "password"

    /// The variable with the name of the run: what identifies the job, so that each one has its own.
    private static let runVariable = "BENCH_RUN"

    var text: String { usage + map + job }

    private var usage: String {
        let pod = "batch.kubernetes.io/job-name=\(plan.name),batch.kubernetes.io/job-completion-index=0"
        return """
            # One load of \(plan.scenario) from \(plan.count) shards, for Kubernetes 1.29 or later. With this file as job.yaml:
            #   kubectl apply -f job.yaml
            #   kubectl logs --follow --tail=-1 --pod-running-timeout=10m -l \(pod) > shard-0.log
            #   sed '1,/^--- results$/d; /^--- end$/,$d' shard-0.log | base64 -d | tar -xz
            #   kubectl delete -f job.yaml
            # If the server asks for a password, first make a Secret of it:
            #   printf %s "$PGPASSWORD" | kubectl create secret generic \(secret) --from-file=\(Self.passwordKey)=/dev/stdin

            """
    }

    private var map: String {
        """
        apiVersion: v1
        kind: ConfigMap
        metadata:
          name: \(plan.name)
        data:
          scenario.json: \(YAMLText.block(plan.scenarioText, indent: 4))
          shard.sh: \(YAMLText.block(shard, indent: 4))
        ---

        """
    }

    /// What each pod runs. A shell that is the first process of a pod passes no signal on by itself.
    var shard: String {
        let index = "$JOB_COMPLETION_INDEX"
        let run = plan.command(
            "\"${0%/*}/scenario.json\"", run: "$\(Self.runVariable)", output: "shard-\(index).csv")
        return """
            date -u
            \(run) < /dev/null &
            bench=$!
            trap 'kill -TERM $bench' TERM
            wait $bench
            code=$?
            # A signal ends the first wait, but not the run.
            while kill -0 $bench 2> /dev/null; do
                wait $bench
                code=$?
            done
            # Files go with the pod, but its log stays as long as the job.
            if [ -e "shard-\(index).csv" ]; then
                echo "--- results"
                tar -czf - "shard-\(index)"* | base64
                echo "--- end"
            fi
            exit $code

            """
    }

    /// No index has a second pod: a shard that was lost cannot join the load again.
    private var job: String {
        """
        apiVersion: batch/v1
        kind: Job
        metadata:
          name: \(plan.name)
        spec:
          completionMode: Indexed
          completions: \(plan.count)
          parallelism: \(plan.count)
          backoffLimitPerIndex: 0
          template:
            metadata:
              labels:
                app.kubernetes.io/instance: \(plan.name)
            spec:
              restartPolicy: Never
              automountServiceAccountToken: false
              enableServiceLinks: false
              securityContext:
                runAsNonRoot: true
                runAsUser: 65534
                runAsGroup: 65534
                fsGroup: 65534
                seccompProfile:
                  type: RuntimeDefault
              topologySpreadConstraints:
                - maxSkew: 1
                  topologyKey: kubernetes.io/hostname
                  whenUnsatisfiable: ScheduleAnyway
                  labelSelector:
                    matchLabels:
                      app.kubernetes.io/instance: \(plan.name)
              containers:
                - name: bench
                  image: \(YAMLText.quoted(image))
                  command: ["/bin/sh", "/bench/shard.sh"]
                  workingDir: /results
                  env:
                    - name: \(Shard.countVariable)
                      value: "\(plan.count)"
        \(name)            - name: PGPASSWORD
                      valueFrom:
                        secretKeyRef:
                          name: \(secret)
                          key: \(Self.passwordKey)
                          optional: true
                  securityContext:
                    allowPrivilegeEscalation: false
                    capabilities:
                      drop: ["ALL"]
                  volumeMounts:
                    - name: bench
                      mountPath: /bench
                      readOnly: true
                    - name: results
                      mountPath: /results
              volumes:
                - name: bench
                  configMap:
                    name: \(plan.name)
                - name: results
                  emptyDir: {}

        """
    }

    /// The variable for the name of the run, where none is given.
    private var name: String {
        guard plan.meeting == nil else { return "" }
        let label = "metadata.labels['batch.kubernetes.io/controller-uid']"
        let lines = ["- name: \(Self.runVariable)", "  valueFrom:", "    fieldRef:", "      fieldPath: \(label)"]
        return lines.map { String(repeating: " ", count: 12) + $0 + "\n" }.joined()
    }
}
