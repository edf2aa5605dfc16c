# Becomes the program given as arguments, in a session of its own, and ends it when standard input closes.
#
# The fleet holds the other end of standard input, so however the fleet ends, SIGKILL included, the program is told to
# stop, and is killed if it has not stopped five seconds later. The session of its own keeps a terminal's Ctrl-C away
# from it: the fleet alone decides the order in which its parts stop. The program keeps this shell's process id.

exec 3<&0 </dev/null
(
  trap '' INT HUP TERM
  cat <&3
  kill -TERM $$
  waited=0
  while kill -0 $$ && [ $waited -lt 5 ]; do
    sleep 1
    waited=$((waited + 1))
  done
  kill -KILL $$
) >/dev/null 2>&1 &
exec 3<&-

if command -v setsid >/dev/null 2>&1; then
  exec setsid "$@"
elif command -v perl >/dev/null 2>&1; then
  exec perl -MPOSIX -e 'POSIX::setsid(); exec { $ARGV[0] } @ARGV or die "$ARGV[0]: $!\n"' "$@"
else
  exec "$@"
fi
