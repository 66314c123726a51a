#!/usr/bin/env bash
# Checks diagrams once and writes every report: annotations to the log, SARIF, JUnit, a page and a comment into a folder. Ends well
# even if problems are found, so that the reports get where they should; the exit code of the check is an output.
#   SEQUENT_PATHS    what to check, separated by spaces
#   SEQUENT_ARGS     further options
#   SEQUENT_REPORTS  the folder of the reports
#   GITHUB_OUTPUT, GITHUB_STEP_SUMMARY  files to add to, if this runs on GitHub
set -uo pipefail

read -ra paths <<<"${SEQUENT_PATHS:-.}"
read -ra options <<<"${SEQUENT_ARGS:-}"
reports=${SEQUENT_REPORTS:?}
mkdir -p "$reports"
format=text
if [ -n "${GITHUB_OUTPUT:-}" ]; then format=github; fi

sequent check --format "$format" --report "sarif=$reports/sequent.sarif" --report "junit=$reports/junit.xml" \
    --report "html=$reports/report.html" --report "markdown=$reports/report.md" ${options[@]+"${options[@]}"} -- "${paths[@]}"
code=$?
echo "$code" >"$reports/code"

if [ -n "${GITHUB_OUTPUT:-}" ]; then
    echo "code=$code" >>"$GITHUB_OUTPUT"
    # Nothing is written if files cannot be read or options are wrong.
    if [ -f "$reports/report.md" ]; then
        printf 'sarif=%s\nreport=%s\n' "$reports/sequent.sarif" "$reports/report.md" >>"$GITHUB_OUTPUT"
        if [ -n "${GITHUB_STEP_SUMMARY:-}" ]; then cat "$reports/report.md" >>"$GITHUB_STEP_SUMMARY"; fi
    fi
fi
exit 0
