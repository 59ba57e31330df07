# For the scripts that follow an article literally, in a folder beside this repository.

# Goes into a new folder, runs the first block of commands of ARTICLE, which makes a package and ends in its folder, and
# writes its Swift to FILE there: all of it, or what stands before the heading "## The tests".
follow() {
    article=$1
    root=$(cd "$(dirname "$0")/.." && pwd)
    mkdir -p "$root/.build"
    scratch=$(mktemp -d "$root/.build/article.XXXXXX")
    trap 'rm -rf "$scratch"' EXIT
    ln -s "$root" "$scratch/bench"
    cd "$scratch"
    commands=$(awk "/^## The tests$/ { exit } $first_commands" "$root/$article")
    eval "$commands"
    awk "/^## The tests$/ { exit } $swift" "$root/$article" >"$2"
}

# Runs the first block of commands under "## The tests", and writes the Swift there to FILE.
follow_tests() {
    commands=$(sed '1,/^## The tests$/d' "$root/$article" | awk "$first_commands")
    eval "$commands"
    sed '1,/^## The tests$/d' "$root/$article" | awk "$swift" >"$1"
}

first_commands='/^```console$/ { open = 1; next } /^```$/ && open { exit } open && sub(/^\$ /, "")'
swift='/^```swift$/ { open = 1; next } /^```$/ { open = 0 } open'
