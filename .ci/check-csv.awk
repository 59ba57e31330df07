# Checks a result as CSV (RFC 4180): one header, the same number of fields in each row, and every row verified. Exits with 1
# and the first error.

# Splits `line` into the array `field` and returns how many fields there are; -1 if a quote is left open.
function split_csv(line, field,    count, at, character, quoted, value) {
    count = 0
    value = ""
    quoted = 0
    for (at = 1; at <= length(line); at++) {
        character = substr(line, at, 1)
        if (quoted && character == "\"" && substr(line, at + 1, 1) == "\"") { value = value character; at++ }
        else if (character == "\"") quoted = !quoted
        else if (character == "," && !quoted) { field[++count] = value; value = "" }
        else value = value character
    }
    field[++count] = value
    return quoted ? -1 : count
}

function fail(message) {
    printf "%s:%d: %s\n", FILENAME, FNR, message > "/dev/stderr"
    failed = 1
    exit 1
}

{ sub(/\r$/, "") }

FNR == 1 {
    width = split_csv($0, header)
    for (at = 1; at <= width; at++) {
        if (header[at] in column) fail("the column " header[at] " occurs twice")
        column[header[at]] = at
    }
    required = "driver phase kind mode repetition status verified duration_ns rss_peak_bytes queue_stall_ns"
    names = split(required, name, " ")
    for (at = 1; at <= names; at++) if (!(name[at] in column)) fail("missing column " name[at])
    next
}

{
    found = split_csv($0, row)
    if (found != width) fail("expected " width " fields, found " found)
    where = row[column["driver"]] ", " row[column["phase"]]
    if (row[column["verified"]] != "true") fail(where ": verified is \"" row[column["verified"]] "\"")
    if (row[column["duration_ns"]] + 0 <= 0) fail(where ": duration_ns is \"" row[column["duration_ns"]] "\"")
    drivers[row[column["driver"]]]++
    rows++
}

END {
    if (failed) exit 1
    if (!rows) fail("no rows; expected results")
    for (driver in drivers) {
        count++
        if (drivers[driver] * count_drivers() != rows) fail(driver " has " drivers[driver] " rows of " rows)
    }
    printf "%s: %d rows of %d fields, %d drivers, all verified\n", FILENAME, rows, width, count
}

function count_drivers(    driver, count) {
    for (driver in drivers) count++
    return count
}
