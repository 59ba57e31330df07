# The program of a release, for jobs that do not compare two builds. A part of action.sh, which has the functions to report.

# Sets $bench to the program of a release, verified by its checksum. Returns 1, with a line that says why, if there is none to
# take; then bench is to be built.
take_release() {
    own=$("$root/.ci/release" version)
    version=${BENCH_VERSION:-$own}
    case $version in
    none)
        echo "bench is built, because bench-version is none."
        return 1
        ;;
    *[!0-9A-Za-z.-]* | [!0-9]*) refuse "bench-version is \"$version\"; it can be a version, such as 0.1.0, or none." ;;
    esac
    if [ -z "${BENCH_RELEASES:-}" ]; then
        leave_release "this copy of the action has no address of releases"
        return 1
    fi
    name=$("$root/.ci/release" name "$version")
    address=$BENCH_RELEASES/v$version/$name.tar.gz
    if ! download "$address" "$scratch/$name.tar.gz" || ! download "$address.sha256" "$scratch/$name.tar.gz.sha256"; then
        leave_release "there is no release at $address"
        return 1
    fi
    (cd "$scratch" && [ "$(wc -l <"$name.tar.gz.sha256")" -eq 1 ] && grep -q "^[0-9a-f]*  $name.tar.gz\$" "$name.tar.gz.sha256" &&
        sha256sum --check --strict --quiet "$name.tar.gz.sha256" >/dev/null 2>&1) ||
        refuse "$address does not match its checksum; repeat the job, or give bench-version: none to build bench."
    tar -xzf "$scratch/$name.tar.gz" --no-same-owner -C "$scratch" || refuse "$address is no archive."
    if [ "$("$scratch/$name/bench" --version 2>&1)" != "bench $version" ]; then
        leave_release "the release at $address does not run on this system"
        return 1
    fi
    bench=$scratch/$name/bench
    echo "bench of the release $version: $address"
}

# Says why a release is not taken. Another version than that of the sources cannot be built instead: REASON.
leave_release() {
    if [ "$version" != "$own" ]; then refuse "bench-version is $version, and $1."; fi
    echo "bench is built, because $1."
}

# Downloads a file: ADDRESS FILE. Fails without a message, as for a file that is not there.
download() {
    if command -v curl >/dev/null; then
        curl --fail --silent --location --proto =https,file --retry 2 --max-time 300 --output "$2" -- "$1"
    elif command -v wget >/dev/null; then
        wget --quiet --https-only --tries 3 --timeout 60 --output-document "$2" -- "$1"
    else
        return 1
    fi
}
