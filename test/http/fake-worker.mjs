/**
 * A worker without a database, for tests of the gateway. The expression determines how it compiles,
 * and the data what it answers.
 */
import { createHash } from 'node:crypto';
import { workerData } from 'node:worker_threads';

const PART_BYTES = 48 * 1024;
// Set by tests of workers that do not load.
const { version = '' } = workerData.schema;
/** Such a version fails until the time in milliseconds behind the prefix. */
const LATE = '0.4.';
const isLate = version.startsWith(LATE) && Date.now() < Number(version.slice(LATE.length));
if (version === '0.0.4' || isLate) throw new Error('told not to load');

const noCounts = { batches: 0, batched: 0, failed: 0, waitedMs: 0, runaways: 0 };

export default function attach({ port }) {
  return new Promise((resolve) => {
    const worker = createWorker(port, resolve);
    port.on('message', (messages) => {
      for (const message of messages) worker(message);
    });
  });
}

function createWorker(port, resolve) {
  const plans = new Map();
  /** Plans that came since they were last executed. */
  const sent = new Set();
  const streams = new Map();
  const imports = new Map();
  const cancelled = [];
  let compiles = 0;
  let single = 0;
  let isMute = false;
  const reply = (message, transfer = []) => port.postMessage([message], transfer);
  const whole = (id, value) => {
    const bytes = new TextEncoder().encode(
      typeof value === 'string' ? value : JSON.stringify(value),
    );
    reply({ type: 'answers', ids: [id], ends: [bytes.length], bytes, rows: [1] }, [bytes.buffer]);
  };
  const failed = (id, code, stack) =>
    reply({
      type: 'failed',
      id,
      problem: { code, detail: `told to: ${code}` },
      ...(stack && { stack }),
    });

  const pump = (id, stream) => {
    while (stream.left > 0 && stream.window > 0) {
      const bytes = patternBytes(stream.offset, Math.min(PART_BYTES, stream.left));
      stream.offset += bytes.length;
      stream.left -= bytes.length;
      stream.window -= bytes.length;
      if (stream.failAt !== undefined && stream.offset >= stream.failAt) {
        streams.delete(id);
        failed(id, 'internal', 'Error: fault of the fake');
        return;
      }
      const last = stream.left === 0;
      if (last) streams.delete(id);
      reply({ type: 'part', id, bytes, rows: 1, last }, [bytes.buffer]);
    }
  };

  const execute = (message) => {
    const { id, planId, data, format } = message;
    const planSent = sent.delete(planId);
    const order = data === undefined ? {} : JSON.parse(data);
    if (order.forget) plans.delete(planId);
    if (!plans.has(planId)) {
      reply({ type: 'planMissing', id });
      return;
    }
    single += 1;
    isMute = order.mute === true;
    if (order.crash) process.exit(3);
    if (order.long) reply({ type: 'estimate', planId, isShort: false });
    while (order.spin);
    for (const kept = []; order.hoard; ) kept.push(Array.from({ length: 1e5 }, Math.random));
    if (order.throw)
      setImmediate(() => {
        throw new Error('told to throw');
      });
    else if (order.never) return;
    else if (order.fail)
      failed(id, order.fail, order.fail === 'internal' ? 'Error: secret stack' : undefined);
    else if (order.stream !== undefined) {
      const stream = {
        left: order.stream,
        offset: 0,
        window: workerData.streamWindowBytes,
        failAt: order.failAt,
      };
      streams.set(id, stream);
      pump(id, stream);
    } else if (order.large !== undefined) whole(id, 'x'.repeat(order.large));
    else {
      const streaming = [...streams.keys()];
      whole(id, { planId, planSent, data, format, compiles, cancelled, streaming });
    }
  };

  return (message) => {
    const { id } = message;
    switch (message.type) {
      case 'compile':
        compiles++;
        if (message.expression.includes('syntax')) {
          reply({
            type: 'failed',
            id,
            problem: {
              code: 'query-syntax',
              detail: 'told to',
              position: { ln: 1, col: 2 },
              hint: 'a hint',
            },
          });
        } else if (message.expression.includes('slow'))
          setTimeout(() => reply({ type: 'compiled', id, plan: planOf(message) }), 30);
        else reply({ type: 'compiled', id, plan: planOf(message) });
        return;
      // All of it is left for the gateway.
      case 'body':
        reply({ type: 'split', id, text: new TextDecoder().decode(message.bytes), cuts: [] });
        return;
      case 'plan':
        plans.set(message.planId, message.plan);
        sent.add(message.planId);
        return;
      case 'executions':
        for (let at = 0; at < message.items.length; at += 4) {
          const [id, planId, form = 'compact', data] = message.items.slice(at, at + 4);
          execute({ id, planId, data, form });
        }
        return;
      case 'transaction': {
        const steps = message.order.steps.map(({ planId, plan, data }) => {
          const order = data === undefined ? {} : JSON.parse(data);
          if (order.forget && !plan) plans.delete(planId);
          if (plan) plans.set(planId, plan);
          return { planId, isKnown: plans.has(planId), planSent: plan !== undefined, data };
        });
        if (steps.some(({ isKnown }) => !isKnown)) reply({ type: 'planMissing', id });
        else whole(id, { ...message.order, steps });
        return;
      }
      case 'import':
        imports.set(id, { hash: createHash('sha1'), bytes: 0, most: 0, unused: 0, crashes: false });
        if (message.stage === 'broken') failed(id, 'import-invalid');
        return;
      case 'chunk': {
        const open = imports.get(id);
        if (open === undefined) return;
        // The last chunk may be empty.
        open.crashes ||= new TextDecoder().decode(message.bytes) === 'crash';
        if (message.last && open.crashes) process.exit(3);
        open.hash.update(message.bytes);
        open.bytes += message.bytes.byteLength;
        open.unused += message.bytes.byteLength;
        open.most = Math.max(open.most, open.unused);
        // Used a little later, so that the sender must wait.
        setTimeout(() => {
          open.unused -= message.bytes.byteLength;
          reply({ type: 'taken', id, bytes: message.bytes.byteLength });
          if (!message.last) return;
          imports.delete(id);
          reply({
            type: 'imported',
            ignored: {},
            id,
            counts: [
              { entity: open.hash.digest('hex'), rows: open.bytes },
              { entity: 'most', rows: open.most },
            ],
          });
        }, 1);
        return;
      }
      case 'export':
        if (message.stage === 'broken') {
          const stream = { left: 1 << 28, offset: 0, window: workerData.streamWindowBytes };
          streams.set(id, stream);
          pump(id, stream);
        } else whole(id, { exported: message.stage, pretty: message.pretty });
        return;
      case 'probe':
        reply({ type: 'probed', id, ok: message.stage !== 'absent', readOnly: [], sources: [] });
        return;
      case 'hello':
        reply({ type: 'hello' });
        return;
      case 'count':
        if (!isMute)
          reply({ type: 'counted', id, report: { counts: { ...noCounts, single }, pools: [] } });
        return;
      case 'cancel':
        cancelled.push(id);
        streams.delete(id);
        imports.delete(id);
        return;
      case 'credit': {
        const stream = streams.get(id);
        if (stream === undefined) return;
        stream.window += message.bytes;
        pump(id, stream);
        return;
      }
      case 'close':
        port.close();
        resolve();
    }
  };
}

/** Bytes that depend on their position in the stream. */
function patternBytes(offset, length) {
  const bytes = new Uint8Array(length);
  for (let index = 0; index < length; index++)
    bytes[index] = ((offset + index) * 31 + ((offset + index) >> 11)) & 0xff;
  return bytes;
}

function planOf({ expression, stage, view }) {
  const child = {
    entity: 'Orders.details',
    alias: 'o1',
    position: { ln: 0, col: 9 },
    clause: 'select',
    source: 'default',
    dialect: 'PostgreSQL',
    text: 'SELECT 2',
    columns: [{ name: 'ServiceParentId', type: 'integer', role: 'parent' }],
    parameters: [],
    arguments: [],
    includes: [],
  };
  const root = {
    entity: 'Orders',
    ...(expression.includes('insert') && { write: { kind: 'told to write' } }),
    alias: 'o',
    position: { ln: 0, col: 7 },
    clause: 'select',
    source: 'default',
    dialect: 'PostgreSQL',
    text: 'SELECT 1',
    columns: [
      { name: 'id', type: 'integer', role: 'value' },
      { name: '__id', type: 'integer', role: 'key' },
    ],
    parameters: [{ name: 'id', type: 'integer' }],
    arguments: [],
    includes: [{ relation: 'details', cardinality: 'many', parentKeyColumn: 1, statement: child }],
  };
  return {
    expression,
    stage,
    view,
    root,
    parameters: [],
    nullSensitive: [],
    bytes: 1000 + expression.length * 2,
  };
}
