/**
 * A worker for tests of waiting replies. It collects executions until one has data, and answers all of
 * them in one message. If the data is `end`, it ends soon after.
 */
const END_MS = 50;

export default function attach({ port }) {
  return new Promise((resolve) => {
    let ids = [];
    port.on('message', (messages) => {
      for (const { type, items } of messages) {
        if (type !== 'executions') continue;
        for (let at = 0; at < items.length; at += 4) {
          ids.push(items[at]);
          const data = items[at + 3];
          if (data === undefined) continue;
          const bytes = new Uint8Array(0);
          const ends = ids.map(() => 0);
          port.postMessage([{ type: 'answers', ids, ends, bytes, rows: undefined }]);
          ids = [];
          if (data === 'end') setTimeout(resolve, END_MS);
        }
      }
    });
    port.on('close', resolve);
  });
}
