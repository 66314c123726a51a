#!/usr/bin/env bash
# Puts the report of a check that found problems into a note on a GitLab merge request; later checks rewrite it. Without the variable
# SEQUENT_TOKEN (a project access token that may use the API) it does nothing.
#   SEQUENT_REPORTS  the folder of the reports; the other variables are GitLab's own
set -euo pipefail

if [ -z "${SEQUENT_TOKEN:-}" ] || [ -z "${CI_MERGE_REQUEST_IID:-}" ]; then exit 0; fi
report=$SEQUENT_REPORTS/report.md
if [ ! -f "$report" ]; then exit 0; fi

marker='<!-- sequent check -->'
notes=$CI_API_V4_URL/projects/$CI_PROJECT_ID/merge_requests/$CI_MERGE_REQUEST_IID/notes
body=$(mktemp)
trap 'rm -f "$body"' EXIT
{ echo "$marker"; cat "$report"; } >"$body"

# The token is read from standard input, so that no list of processes shows it.
ask() { printf 'header = "PRIVATE-TOKEN: %s"\n' "$SEQUENT_TOKEN" | curl --fail --silent --show-error --config - "$@"; }

known=$(ask "$notes?per_page=100" | jq --arg marker "$marker" '[.[] | select(.body | startswith($marker)) | .id] | first // empty')
if [ -n "$known" ]; then
    ask --output /dev/null --request PUT --data-urlencode "body@$body" "$notes/$known"
elif [ "$(cat "$SEQUENT_REPORTS/code")" != 0 ]; then
    ask --output /dev/null --request POST --data-urlencode "body@$body" "$notes"
fi
