#!/usr/bin/env bash
# Puts the report of a check into one comment on a GitHub pull request, which later checks rewrite. A pull request that never had a
# problem gets none.
#   SEQUENT_REPORT        the report in Markdown
#   SEQUENT_CODE          the exit code of the check
#   SEQUENT_PULL_REQUEST  the number of the pull request
#   GITHUB_REPOSITORY     where it is; GH_TOKEN for the program gh
set -euo pipefail

marker='<!-- sequent check -->'
comments=repos/$GITHUB_REPOSITORY/issues/$SEQUENT_PULL_REQUEST/comments
body=$(mktemp)
trap 'rm -f "$body"' EXIT
{ echo "$marker"; cat "$SEQUENT_REPORT"; } >"$body"

mine=".[] | select(.body | startswith(\"$marker\")) | .id"
known=$(gh api --paginate "$comments" --jq "$mine" | head -n 1)
if [ -n "$known" ]; then
    gh api --silent --method PATCH "repos/$GITHUB_REPOSITORY/issues/comments/$known" --field "body=@$body"
elif [ "$SEQUENT_CODE" != 0 ]; then
    gh api --silent --method POST "$comments" --field "body=@$body"
fi
