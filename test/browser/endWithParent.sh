#!/bin/sh
# Runs $PROGRAM in its own process group. When it ends, or the process that started it is gone for whatever reason, the rest of the group
# is killed and its folder removed: $FOLDER, or the one behind the argument --profile.
before=
for word in "$@"; do
  if [ "$before" = --profile ]; then FOLDER=$word; fi
  before=$word
done
watch='while kill -0 "$1" && kill -0 "$2"; do sleep 0.5; done
kill -s KILL -- "-$2"
until rm -rf -- "$3"; do sleep 0.5; done'
setsid sh -c "$watch" watch "$PPID" "$$" "$FOLDER" </dev/null >/dev/null 2>&1 &
exec "$PROGRAM" "$@"
