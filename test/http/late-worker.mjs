/** Of several workers, only the first one that starts is ready: it answers probes, and nothing else. The others take no message. */
import { workerData } from 'node:worker_threads';

export default function attach({ port }) {
  return new Promise((resolve) => {
    port.on('close', resolve);
    if (Atomics.add(new Int32Array(workerData.shortActivity), 0, 1) > 0) return;
    port.on('message', (messages) => {
      for (const { type, id } of messages) {
        if (type === 'probe')
          port.postMessage([{ type: 'probed', id, ok: true, readOnly: [], sources: [] }]);
        else if (type === 'close') resolve();
      }
    });
  });
}
