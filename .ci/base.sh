# The base of a comparison within one job: which commit it is, and a bench that is built from it. A part of action.sh, which
# has the functions to report; gate takes from it how git is called.

base=
base_name=
prefix=

# Lets git read a checkout that belongs to another user, as in containers.
trust_checkout() {
    {
        printf '[safe]\n\tdirectory = *\n'
        if [ -n "${HOME:-}" ]; then printf '[include]\n\tpath = ~/.gitconfig\n'; fi
    } >"$scratch/gitconfig"
}

# Runs git with the settings of trust_checkout, and without hooks of the repository.
repository() { GIT_CONFIG_GLOBAL=$scratch/gitconfig git -c core.hooksPath=/dev/null "$@"; }

# The commit of a name; nothing if there is none.
commit_of() { repository rev-parse --verify --quiet "$1^{commit}" 2>/dev/null; }

# Sets $base to the commit to compare with, empty if the job compares with none: the given one, or in a pull request the
# merge base. A checkout of the merge of a pull request has the tip of the branch as its merge base.
find_base() {
    if [ "${BENCH_BASE_REF:-}" = none ]; then return 0; fi
    if [ -n "${BENCH_BASELINE:-}" ]; then
        if [ -n "${BENCH_BASE_REF:-}" ]; then refuse "base-ref and baseline exclude each other; give one."; fi
        return 0
    fi
    if [ -z "${BENCH_BASE_REF:-}" ] && [ -z "${GITHUB_BASE_REF:-}" ]; then return 0; fi
    trust_checkout
    head=$(commit_of HEAD) || refuse "base-ref needs a checkout of git with a commit; this folder is in none."
    if [ -n "${BENCH_BASE_REF:-}" ]; then given_base; else merge_base; fi
    prefix=$(repository rev-parse --show-prefix)
    find_kept
}

given_base() {
    base_name=$BENCH_BASE_REF
    case $base_name in
    -*) refuse "base-ref is \"$base_name\"; it can be a commit, a tag or a branch." ;;
    esac
    base=$(commit_of "$base_name" || commit_of "refs/remotes/origin/$base_name") || refuse "There is no commit \
\"$base_name\" in this checkout. Correct base-ref, or let actions/checkout fetch the history: fetch-depth: 0"
}

merge_base() {
    base_name="the merge base with $GITHUB_BASE_REF"
    base=$(start_of_pull_request) || refuse "The merge base with \
\"$GITHUB_BASE_REF\" is not in this checkout. Let actions/checkout fetch the history: fetch-depth: 0"
}

# The merge base of a pull request; nothing if the checkout does not have it.
start_of_pull_request() { repository merge-base "refs/remotes/origin/$GITHUB_BASE_REF" HEAD 2>/dev/null; }

# Writes the commit messages since COMMIT to $scratch/messages, as bench reads what they accept: COMMIT.
write_messages() {
    repository log -z --reverse --no-color --no-show-signature --encoding=UTF-8 --format=%H%n%B "$1..HEAD" >"$scratch/messages"
}

# Writes those of a pull request, where the job compares with a baseline. Fails if there are none, and sets $unread to why a
# pull request has none.
write_messages_of_pull_request() {
    if [ -z "${GITHUB_BASE_REF:-}" ]; then return 1; fi
    trust_checkout
    if start=$(start_of_pull_request) && write_messages "$start"; then return 0; fi
    unread="What commit messages accept was not read: the merge base with \"$GITHUB_BASE_REF\" is not in this checkout. Let \
actions/checkout fetch the history: fetch-depth: 0"
    return 1
}

# Sets $key and $kept: what identifies a bench of the base, and the folder that keeps it. Another command, or another system,
# builds another one.
find_kept() {
    cache=${BENCH_CACHE:-${RUNNER_TEMP:-${XDG_CACHE_HOME:-${HOME:-/tmp}/.cache}}/bench-base}
    key=$base-$({
        printf '%s\n' "$build" "$bench_path" "$prefix"
        uname -sm
        cat /etc/os-release 2>/dev/null || true
        swift --version 2>/dev/null || true
    } | repository hash-object --stdin | cut -c 1-16)
    kept=$cache/$key
}

# Builds in a folder, the messages to the log, in which they are no commands: FOLDER.
build_in() {
    echo "::stop-commands::$token"
    code=0
    (cd "$1" && exec sh -c "$build" </dev/null) 2>&1 || code=$?
    # A command begins a line, also after a build whose output has no last newline.
    printf '\n::%s::\n' "$token"
    return "$code"
}

# Builds the base in a worktree, and keeps its program with what lies beside it; a program that is kept already is used again.
build_base() {
    # One that a full disk cut short is built again.
    if [ -f "$kept/bench" ] && timeout 60 "$kept/bench" --version >/dev/null 2>&1; then
        echo "bench of $base: kept from an earlier job"
        return 0
    fi
    echo "bench of $base: built in a worktree"
    mkdir -p "$cache" && worktrees=$(mktemp -d "$cache/worktree.XXXXXX") ||
        refuse "The folder $cache, which keeps the bench of the base, cannot be written; BENCH_CACHE names another one."
    repository worktree add --quiet --detach "$worktrees/base" "$base" || refuse "git could not check out $base; see the log."
    place=$worktrees/base/$prefix
    [ -d "$place" ] || refuse "The base commit $base has no folder $prefix; base-ref: none runs without a comparison."
    build_in "$place" || refuse "The base commit $base could not be built with \"$build\"; see the log. If it has no bench \
yet, base-ref: none runs without a comparison."
    program=$place/$bench_path
    [ -f "$program" ] && [ -x "$program" ] || refuse "The build of the base commit $base left no program $bench_path; \
set bench-path to the one that \"$build\" makes."
    keep "$program" || refuse "The bench of the base could not be kept in $cache; BENCH_CACHE names another folder."
    forget_worktree
}

# Keeps a program, and the resources and libraries that it may load: PROGRAM.
keep() {
    # Another job with this cache may keep the same program meanwhile.
    part=$worktrees/part
    mkdir -p "$part" && cp "$1" "$part/bench" || return 1
    for beside in "${1%/*}"/*.resources "${1%/*}"/*.bundle "${1%/*}"/*.so; do
        if [ -e "$beside" ]; then cp -R "$beside" "$part/" || return 1; fi
    done
    rm -rf "$kept" && mv "$part" "$kept" || return 1
}

# Removes the worktree, also one of a build that failed.
forget_worktree() {
    if [ -z "${worktrees:-}" ]; then return 0; fi
    rm -rf "$worktrees"
    worktrees=
    repository worktree prune
}

# Lets both benches take turns. What commit messages since the base accept goes along in a file.
compare_with_base() {
    folder=$(dirname -- "$output")
    if [ -e "$output" ]; then refuse "$output exists; name another output."; fi
    mkdir -p -- "$folder" || refuse "The folder $folder cannot be created; name another output."
    write_messages "$base" || refuse "git could not list the commits since $base; see the log."
    set -- ab --quiet --format markdown --base "$kept/bench" --budget "${BENCH_BUDGET:-5m}" --output "$folder"
    case "
${BENCH_AB_ARGUMENTS:-}" in
    *"
--accept-file"*) ;;
    *) set -- "$@" --accept-file "$scratch/messages" ;;
    esac
    if [ "${BENCH_STRICT:-false}" = true ]; then set -- "$@" --strict; fi
    while IFS= read -r line; do
        if [ -n "$line" ]; then set -- "$@" --driver "$line"; fi
    done <<LIST
${BENCH_DRIVERS:-}
LIST
    while IFS= read -r line; do
        if [ -n "$line" ]; then set -- "$@" --threshold "$line"; fi
    done <<LIST
${BENCH_THRESHOLDS:-}
LIST
    while IFS= read -r line; do
        if [ -n "$line" ]; then set -- "$@" "$line"; fi
    done <<LIST
${BENCH_AB_ARGUMENTS:-}
LIST
    call "$scratch/comparison" "$@" -- "$BENCH_SCENARIO"
    output=$folder/new.csv
    summarise_comparison
}

# Adds the comparison to the summary, with the commits, and sets $conclusion to its first line, the figures that got worse and
# the function that grew most.
summarise_comparison() {
    if [ ! -s "$scratch/comparison" ]; then
        conclusion=
        return 0
    fi
    cat "$scratch/comparison" >>"$summary"
    printf '\nThe base is commit %s, the new side is %s.\n' "$base" "$head" >>"$summary"
    worse=$(awk -F '|' '
        /^<details>/ { exit }
        NF > 10 {
            for (i = 2; i < 5; i++) gsub(/^ +| +$/, "", $i)
            if ($2 != "") phase = $2
            if ($11 ~ /^ regressed $/) { printf "%s%s of %s: %s", separator, phase, $3, $4; separator = ", " }
        }' "$scratch/comparison")
    grown=$(sed -n '/^  - +[0-9.]* %, +[0-9,]*: ./{
        s/^[^:]*: //
        s/\\\(.\)/\1/g
        s/&lt;/</g
        s/&gt;/>/g
        s/&#64;/@/g
        s/&#35;/#/g
        s/&amp;/\&/g
        p
        q
    }' "$scratch/comparison")
    conclusion=$(sed -n '1{s/\*\*//g;s/ *$//;p;}' "$scratch/comparison")${worse:+ ($worse)}${grown:+; $grown grew most}
}
