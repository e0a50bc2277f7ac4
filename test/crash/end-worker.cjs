/**
 * Loaded into the program before all else: SIGUSR2 ends one of its worker threads, whatever it is
 * doing. That is no call of the program's own, but what a fault in native code amounts to. A thread that is still
 * loading its modules is spared, because Node.js 20 may abort the process if it ends then.
 */
const threads = require('node:worker_threads');

const loaded = new threads.BroadcastChannel('loaded');
loaded.unref();

if (threads.isMainThread) {
  const workers = new Map();
  const ready = new Set();
  loaded.onmessage = ({ data }) => ready.add(data);
  threads.Worker = class extends threads.Worker {
    constructor(...words) {
      super(...words);
      const { threadId } = this;
      workers.set(threadId, this);
      this.once('exit', () => workers.delete(threadId));
    }
  };
  process.on('SIGUSR2', () => {
    const [oldest] = [...workers.keys()].filter((id) => ready.has(id));
    if (oldest !== undefined) void workers.get(oldest).terminate();
  });
} else {
  // Its first message through a port that it was given shows that it is loaded.
  const { MessagePort, parentPort, threadId } = threads;
  const { postMessage } = MessagePort.prototype;
  MessagePort.prototype.postMessage = function (...words) {
    if (this !== parentPort) {
      MessagePort.prototype.postMessage = postMessage;
      loaded.postMessage(threadId);
    }
    return postMessage.apply(this, words);
  };
}
