/**
 * Runs the server under a small shell script that reads from a pipe. When the pipe closes, because we
 * close it or because this process died for any reason, SIGKILL included, the script stops the server
 * and removes its socket folder.
 */

/** How many seconds a fast shutdown may take, and an immediate shutdown after it. */
const FAST_SECONDS = 10;
const IMMEDIATE_SECONDS = 5;

/** The longest time that a stop takes, with a margin for the script itself. */
export const STOP_TIMEOUT_MS = (FAST_SECONDS + IMMEDIATE_SECONDS + 5) * 1_000;

/**
 * `$1` is the socket folder; the rest is the server's command line. A shell gives a background command
 * /dev/null as its input, so the pipe is kept on descriptor 3, which the server does not get.
 */
const SCRIPT = `
directory=$1; shift
exec 3<&0 </dev/null
"$@" 3<&- &
server=$!
(
  read -r line <&3
  kill -INT $server
  seconds=0
  while kill -0 $server; do
    sleep 1
    seconds=$((seconds + 1))
    [ $seconds -eq ${FAST_SECONDS} ] && kill -QUIT $server
    [ $seconds -eq ${FAST_SECONDS + IMMEDIATE_SECONDS} ] && kill -KILL $server
  done
) >/dev/null 2>&1 &
reader=$!
exec 3<&-
wait $server
status=$?
kill $reader 2>/dev/null
rm -rf "$directory"
exit $status
`;

/** The command line that runs `server` under the watchdog. */
export function watchdogCommand(
  socketDirectory: string,
  server: readonly string[],
): readonly [program: string, words: readonly string[]] {
  return ['/bin/sh', ['-c', SCRIPT, 'rowgate-watchdog', socketDirectory, ...server]];
}
