#!/bin/sh
# The work of action.yml: compares a checkout with another commit or with a baseline, and writes the result to the job's
# summary. With the argument "base" it says only which commit that is, for a cache; with "build" it builds that commit's bench
# too, and compares nothing.
# Every input is an environment variable that action.yml sets; lists have one entry per line. Exits with the code of bench,
# but with 0 for insufficient data (4) unless BENCH_STRICT is true.
set -eu

root=$(cd "$(dirname "$0")/.." && pwd)
output=${BENCH_OUTPUT:-bench-results/new.csv}
summary=${GITHUB_STEP_SUMMARY:-/dev/null}
outputs=${GITHUB_OUTPUT:-/dev/null}
build=${BENCH_BUILD:-swift build -c release --product bench}
bench_path=${BENCH_PATH:-.build/release/bench}
scratch=$(mktemp -d)
trap 'forget_worktree; rm -rf "$scratch"' EXIT
trap 'exit 130' INT
trap 'exit 143' TERM HUP
# It cannot be guessed, so no text of a scenario can end what it delimits.
token=$(od -An -N16 -tx1 /dev/urandom | tr -d ' \n')

. "$root/.ci/base.sh"
. "$root/.ci/released.sh"

# An annotation: LEVEL MESSAGE.
annotate() {
    if [ -n "${GITLAB_CI:-}" ]; then
        printf 'bench: %s: %s\n' "$1" "$2"
        return
    fi
    printf '::%s title=bench::' "$1"
    printf '%s' "$2" | tr -d '\r' | sed 's/%/%25/g' | awk 'NR > 1 { printf "%%0A" } { printf "%s", $0 }'
    echo
}

# Sets an output: NAME VALUE.
publish() { printf '%s<<%s\n%s\n%s\n' "$1" "$token" "$2" "$token" >>"$outputs"; }

# Publishes the verdict and exits: VERDICT CODE.
finish() {
    publish verdict "$1"
    publish exit-code "$2"
    if [ "$1" = inconclusive ]; then publish inconclusive true; else publish inconclusive false; fi
    if [ -f "$output" ]; then
        publish csv "$output"
        publish folder "$(cd -- "$(dirname -- "$output")" && pwd)"
    fi
    if [ "$2" -eq 4 ] && [ "${BENCH_STRICT:-false}" != true ]; then exit 0; fi
    exit "$2"
}

# Adds a message to the summary as it is: names in it are no Markdown. MESSAGE.
quote() { printf '%s\n' "$1" | sed 's/`/´/g' | awk 'BEGIN { print "```text" } { print } END { print "```" }' >>"$summary"; }

# Reports invalid input and exits: MESSAGE.
refuse() {
    annotate error "$1"
    quote "$1"
    finish invalid-input 2
}

# Prints the errors of bench, for an annotation.
complaint() { sed -n 's/^bench: error: //p' "$scratch/errors"; }

# Runs bench. Its output goes to FILE, its messages to standard error and to a file, its exit code to $code. Its messages
# include names of phases, which the workflow must not take for commands.
call() {
    file=$1
    shift
    code=0
    "$bench" "$@" >"$file" 2>"$scratch/errors" || code=$?
    echo "::stop-commands::$token"
    cat "$file" "$scratch/errors"
    printf '\n::%s::\n' "$token"
}

check_inputs() {
    if [ -z "${BENCH_SCENARIO:-}" ]; then refuse "The input \"scenario\" is missing: name the scenario to run."; fi
    case ${BENCH_STRICT:-false} in
    true | false) ;;
    *) refuse "strict is \"$BENCH_STRICT\"; it can be true or false." ;;
    esac
    if [ -n "${BENCH_BASELINE:-}" ] && [ ! -f "$BENCH_BASELINE" ]; then
        refuse "There is no baseline $BENCH_BASELINE. Make one from the commit to compare with, and commit it together with \
the manifest beside it: bench run $BENCH_SCENARIO --output $BENCH_BASELINE"
    fi
}

# Inputs of the comparison with a baseline mean nothing to sides that take turns.
check_inputs_of_turns() {
    for given in "repetitions=${BENCH_REPETITIONS:-}" "relative-to=${BENCH_RELATIVE_TO:-}" \
        "run-arguments=${BENCH_RUN_ARGUMENTS:-}" "compare-arguments=${BENCH_COMPARE_ARGUMENTS:-}"; do
        if [ -n "${given#*=}" ]; then
            refuse "${given%%=*} belongs to the comparison with a baseline, and this job compares with $base_name. Remove it, \
or give base-ref: none."
        fi
    done
}

# Sets $bench to the given program, or builds that of the checkout; without a base it takes a release, or builds that of this
# repository.
prepare() {
    bench=${BENCH:-}
    if [ -n "$bench" ]; then
        command -v "$bench" >/dev/null || refuse "bench: $bench is no program."
        return
    fi
    if [ -z "$base" ] && take_release; then return; fi
    "$root/.ci/requirements" || refuse "What bench is built with is missing; the log says what to install."
    if [ -n "$base" ]; then
        echo "bench of $head: built in the checkout"
        build_in . || refuse "bench could not be built with \"$build\"; see the log."
        bench=$PWD/$bench_path
        [ -f "$bench" ] && [ -x "$bench" ] || refuse "The build left no program $bench_path; set bench-path to the one that \
\"$build\" makes."
        return
    fi
    swift build --package-path "$root" -c release --product bench || refuse "bench could not be built; see the log."
    bench=$root/.build/release/bench
}

run_scenario() {
    set -- run --quiet --output "$output"
    if [ -n "${BENCH_REPETITIONS:-}" ]; then set -- "$@" --repetitions "$BENCH_REPETITIONS"; fi
    while IFS= read -r line; do
        if [ -n "$line" ]; then set -- "$@" "$line"; fi
    done <<LIST
${BENCH_RUN_ARGUMENTS:-}
LIST
    if [ -e "$output" ]; then refuse "$output exists; name another output."; fi
    mkdir -p -- "$(dirname -- "$output")" || refuse "The folder of $output cannot be created; name another output."
    call "$scratch/run" "$@" -- "$BENCH_SCENARIO"
    case $code in
    0) ;;
    2) refuse "$(complaint)" ;;
    *)
        annotate error "$(complaint)"
        "$bench" show --format markdown -- "$output" >>"$summary" || true
        finish failed "$code"
        ;;
    esac
}

compare() {
    set -- compare --format markdown --base "$BENCH_BASELINE" --new "$output"
    if [ -n "${BENCH_RELATIVE_TO:-}" ]; then set -- "$@" --relative-to "$BENCH_RELATIVE_TO"; fi
    if [ "${BENCH_STRICT:-false}" = true ]; then set -- "$@" --strict; fi
    while IFS= read -r line; do
        if [ -n "$line" ]; then set -- "$@" --threshold "$line"; fi
    done <<LIST
${BENCH_THRESHOLDS:-}
LIST
    unread=
    names_messages=
    while IFS= read -r line; do
        case $line in --accept-file | --accept-file=*) names_messages=true ;; esac
        if [ -n "$line" ]; then set -- "$@" "$line"; fi
    done <<LIST
${BENCH_COMPARE_ARGUMENTS:-}
LIST
    if [ -z "$names_messages" ] && write_messages_of_pull_request; then set -- "$@" --accept-file "$scratch/messages"; fi
    call "$scratch/comparison" "$@"
    cat "$scratch/comparison" >>"$summary"
    if [ "$code" -eq 1 ] && [ -n "$unread" ]; then printf '\n%s\n' "$unread" >>"$summary"; fi
    conclusion=$(sed -n '1s/\*\*//gp' "$scratch/comparison")
}

judge() {
    case $code in
    0)
        case $conclusion in
        inconclusive*) annotate warning "$conclusion" && finish inconclusive 0 ;;
        accepted*) annotate notice "$conclusion" && finish passed 0 ;;
        *) finish passed 0 ;;
        esac
        ;;
    1) annotate error "$conclusion" && finish regressed 1 ;;
    2) refuse "$(complaint)" ;;
    4)
        level=warning
        if [ "${BENCH_STRICT:-false}" = true ]; then level=error; fi
        annotate "$level" "$conclusion"
        case $conclusion in
        inconclusive*) finish inconclusive 4 ;;
        *) finish insufficient-data 4 ;;
        esac
        ;;
    *)
        annotate error "${conclusion:-$(complaint)}"
        if [ -z "$conclusion" ]; then quote "$(complaint)"; fi
        finish failed "$code"
        ;;
    esac
}

check_inputs
find_base
case ${1:-} in
base | build)
    if [ -z "$base" ]; then exit 0; fi
    publish key "$key"
    publish kept "$kept"
    if [ "$1" = build ]; then build_base; fi
    exit 0
    ;;
esac
if [ -n "$base" ]; then
    check_inputs_of_turns
    if [ "$base" = "$head" ]; then
        annotate notice "The checkout is $base_name itself, so nothing was compared."
        finish not-compared 0
    fi
    prepare
    build_base
    compare_with_base
    judge
fi
prepare
run_scenario
if [ -z "${BENCH_BASELINE:-}" ]; then
    "$bench" show --format markdown -- "$output" >>"$summary"
    annotate notice "There is no baseline, so nothing was judged. $output can become one."
    finish not-compared 0
fi
compare
judge
