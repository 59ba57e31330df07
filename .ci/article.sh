# Sourced by the scripts that follow an article to the letter, in a folder that has this repository beside it.

# Goes into a new folder, runs the first block of commands of ARTICLE, which makes a package and ends in its folder, and
# writes its Swift to FILE there.
follow() {
    article=$1
    root=$(cd "$(dirname "$0")/.." && pwd)
    mkdir -p "$root/.build"
    scratch=$(mktemp -d "$root/.build/article.XXXXXX")
    trap 'rm -rf "$scratch"' EXIT
    ln -s "$root" "$scratch/bench"
    cd "$scratch"
    commands=$(awk '/^```console$/ { open = 1; next } /^```$/ && open { exit } open && sub(/^\$ /, "")' "$root/$article")
    eval "$commands"
    awk '/^```swift$/ { open = 1; next } /^```$/ { open = 0 } open' "$root/$article" >"$2"
}
