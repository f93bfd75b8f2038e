#!/bin/sh
# Proves the contract from a stranger's side: generates Java codecs from
# tollgate.xml with the standard sbe-tool, compiles Decode.java against them, and
# lets it decode every golden frame of fastpath/wire/testdata, those of earlier
# versions included.
#
#   decode.sh [working folder [schema definition]]
#
# Writes "message field=value" lines to standard output; a message of an earlier
# version has the version before its name: "v0/NewOrder". The working folder
# takes the generated code (default: a new temporary folder). If a schema
# definition (FIX's sbe.xsd) is given, tollgate.xml is checked against it first.
# The tool's jar is taken from Maven Central once and kept in the user's cache.
# Needs Java 17 (a JDK) and, the first time, mvn. Exit status 3: no jar to be had.
set -eu

version=1.30.0
checksum=907d652e636317c575ccad43e0b077f0cae92227cecf970906e3baa5b0c20c4e
here=$(cd "$(dirname "$0")" && pwd)
golden=$here/../../../fastpath/wire/testdata
work=${1:-$(mktemp -d)}
cache=${XDG_CACHE_HOME:-$HOME/.cache}/tollgate/sbe-tool
jar=$cache/sbe-all-$version.jar

intact() {
    [ -f "$jar" ] && echo "$checksum  $jar" | sha256sum --check --status
}

if ! intact; then
    mkdir -p "$cache"
    mvn --quiet --batch-mode org.apache.maven.plugins:maven-dependency-plugin:3.6.1:copy \
        -Dartifact=uk.co.real-logic:sbe-all:$version -DoutputDirectory="$cache" \
        -Dmdep.overWriteReleases=true >&2 || exit 3
    intact || {
        echo "decode.sh: $jar does not have the checksum $checksum" >&2
        exit 1
    }
fi

if [ $# -ge 2 ]; then
    set -- "-Dsbe.validation.xsd=$2"
else
    set --
fi
java "$@" -Dsbe.output.dir="$work/generated" -Dsbe.target.language=Java \
    -Dsbe.validation.stop.on.error=true -Dsbe.validation.warnings.fatal=true \
    -jar "$jar" "$here/../tollgate.xml" >&2
find "$work/generated" -name '*.java' >"$work/sources"
javac -nowarn -d "$work/classes" -cp "$jar" "@$work/sources" "$here/Decode.java" >&2
java -cp "$work/classes:$jar" Decode "$golden" "$golden"/*.hex "$golden"/v*/*.hex
