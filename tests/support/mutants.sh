#!/bin/sh
# Changes the rules one place at a time and runs the tests that reach it; a change that fails
# no test is listed at the end. Works in .cache/mutants on a copy; the result stays there.
# Usage: tests/support/mutants.sh [FILE...] (default: betting, legality, pots and showdown)
set -eu

here=$(cd "$(dirname "$0")/../.." && pwd)
work="$here/.cache/mutants"
files=${*:-"betting legality pots showdown"}

mkdir -p "$work"
if [ ! -x "$work/venv/bin/mutmut" ]; then
    "$here/.venv/bin/python" -m venv "$work/venv"
    "$work/venv/bin/pip" install --quiet --disable-pip-version-check 'mutmut==3.8.1'
fi
# The tool is no dependency of the project; ours come from the project's own environment.
site=$("$here/.venv/bin/python" -c 'import sysconfig; print(sysconfig.get_path("purelib"))')
echo "$site" > "$("$work/venv/bin/python" -c 'import sysconfig; print(sysconfig.get_path("purelib"))')/riverboat.pth"

tree="$work/tree"
rm -rf "$tree"
mkdir -p "$tree/tests/unit" "$tree/tests/golden" "$tree/tests/properties"
cp -r "$here/poker" "$tree/"
cp -r "$here/tests/support" "$here/tests/__init__.py" "$tree/tests/"
cp "$here"/tests/unit/test_poker_*.py "$tree/tests/unit/"
cp -r "$here"/tests/golden/test_poker_*.py "$here/tests/golden/data" "$tree/tests/golden/"
cp "$here"/tests/properties/conftest.py "$here"/tests/properties/test_poker_*.py "$tree/tests/properties/"
# These say nothing about betting, or say it slowly; pokerkit is a mere peer.
rm -f "$tree/tests/golden/test_poker_ranking_cases.py" "$tree/tests/unit/test_poker_guide.py" \
    "$tree"/tests/properties/test_poker_pokerkit.py "$tree"/tests/properties/test_poker_views.py
{
    printf '[mutmut]\nsource_paths=poker/\nuse_git_change_detection=false\nonly_mutate=\n'
    for file in $files; do printf '    poker/%s.py\n' "$file"; done
    printf 'pytest_add_cli_args_test_selection=tests/\n'
} > "$tree/setup.cfg"

cd "$tree"
# A change can make a loop endless, which collects pots until the memory is full.
ulimit -v 1500000 2>/dev/null || true
"$work/venv/bin/mutmut" run
"$work/venv/bin/mutmut" results
