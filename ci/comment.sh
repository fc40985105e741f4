#!/bin/sh
# Finds, writes and edits the one comment of a report on a pull or merge request.
#
#   comment.sh fetch NAME FILE    the body of the comment of that name, or an empty file (for --previous)
#   comment.sh post FILE          posts the body, or edits the comment of its name; nothing if it is empty
#   comment.sh number HEAD SHA    GitHub: the open pull request of owner:branch whose head is that commit
#
# Needs curl and jq. Environment: FORGE (github, gitlab or gitea), API, REPOSITORY (GitLab: the id of
# the project), NUMBER, TOKEN, and AUTHOR, whose comments are meant (default: who TOKEN belongs to; on
# GitHub github-actions[bot]). Comments of others are neither believed nor edited.
set -eu

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

call() {
    # Not on the command line, where other processes could read it.
    printf 'header = "%s"\n' "$auth" |
        curl --config - --silent --show-error --fail --header 'Content-Type: application/json' "$@"
}

case ${FORGE:?github, gitlab or gitea} in
github | gitea)
    list="$API/repos/$REPOSITORY/issues/${NUMBER:-}/comments"
    one="$API/repos/$REPOSITORY/issues/comments"
    edit=PATCH
    auth="Authorization: token $TOKEN"
    ;;
gitlab)
    list="$API/projects/$REPOSITORY/merge_requests/${NUMBER:-}/notes"
    one=$list
    edit=PUT
    auth="PRIVATE-TOKEN: $TOKEN"
    ;;
*)
    echo "FORGE is github, gitlab or gitea" >&2
    exit 2
    ;;
esac

author() {
    if [ -n "${AUTHOR:-}" ]; then
        printf '%s' "$AUTHOR"
    elif [ "$FORGE" = github ]; then
        printf '%s' 'github-actions[bot]'
    else
        call "$API/user" | jq --raw-output '.login // .username'
    fi
}

# Writes the first comment of the author that begins with the marker to $work/found.
find_comment() {
    author=$(author)
    page=1
    : >"$work/found"
    while :; do
        call "$list?per_page=100&page=$page" >"$work/page"
        jq --arg marker "$1" --arg author "$author" '
            map(select((.user.login // .author.username) == $author)
                | select(.body | startswith($marker))) | first // empty
            ' "$work/page" >"$work/found"
        # Gitea lists all comments at once.
        if [ -s "$work/found" ] || [ "$FORGE" = gitea ] ||
            [ "$(jq length "$work/page")" -lt 100 ]; then
            return
        fi
        page=$((page + 1))
    done
}

case $1 in
fetch)
    find_comment "<!-- reportgen:comment $2 -->"
    jq --raw-output .body "$work/found" >"$3"
    ;;
post)
    if [ ! -s "$2" ]; then
        echo "nothing to post"
        exit
    fi
    find_comment "$(sed -n '1s/ -->.*/ -->/p' "$2")"
    jq --raw-input --slurp '{body: .}' <"$2" >"$work/body"
    if [ -s "$work/found" ]; then
        id=$(jq .id "$work/found")
        call --request "$edit" --data "@$work/body" "$one/$id" >"$work/answer"
        echo "edited comment $id"
    else
        call --request POST --data "@$work/body" "$list" >"$work/answer"
        echo "posted comment $(jq .id "$work/answer")"
    fi
    ;;
number)
    call --get --data-urlencode "head=$2" --data state=open "$API/repos/$REPOSITORY/pulls" |
        jq --arg sha "$3" '.[] | select(.head.sha == $sha) | .number'
    ;;
*)
    echo "usage: comment.sh fetch NAME FILE | post FILE | number HEAD SHA" >&2
    exit 2
    ;;
esac
