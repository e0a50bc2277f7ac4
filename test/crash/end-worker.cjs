/**
 * Loaded into the program before all else: SIGUSR2 ends one of its worker threads, whatever it is
 * doing. That is no call of the program's own, but what a fault in native code amounts to.
 */
const threads = require('node:worker_threads');

if (threads.isMainThread) {
  const workers = new Set();
  threads.Worker = class extends threads.Worker {
    constructor(...words) {
      super(...words);
      workers.add(this);
      this.once('exit', () => workers.delete(this));
    }
  };
  process.on('SIGUSR2', () => {
    const [oldest] = workers;
    if (oldest) void oldest.terminate();
  });
}
