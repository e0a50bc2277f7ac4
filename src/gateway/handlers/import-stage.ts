/**
 * `POST /stages/{name}/import`: passes the body to a worker in chunks, no faster than the worker reads it.
 */
import type { Call } from '../call.js';
import type { ImportSink } from '../dispatcher/sinks.js';
import { acceptsMedia, hold, refuseSize } from './read-json.js';
import { announcesMoreThan, dropBody, streamBody } from '../http/read-body.js';
import { stageViewOf } from './stages.js';

const ASKS_STRICT = /(?:^|&)strict=true(?:&|$)/;

/** Imports the body into the stage that the path names. */
export function importStage(call: Call): void {
  const place = stageViewOf(call, 'insert');
  const { dispatcher, configuration, observer } = call.service;
  const { importBytesMax: bytesMax, strictImport } = configuration;
  const strict = strictImport || ASKS_STRICT.test(call.exchange.query);
  if (!acceptsMedia(call)) return;
  if (announcesMoreThan(call.exchange, bytesMax)) {
    dropBody(call.exchange, bytesMax, () => refuseSize(call, bytesMax));
    return;
  }
  let resume = (): void => undefined;
  const sink: ImportSink = {
    counts: call.principal?.counts,
    ready: () => resume(),
    imported: (counts, ignored) => {
      const isIgnoring = Object.keys(ignored).length > 0;
      if (isIgnoring) {
        const { requestId } = call;
        observer.observe({ kind: 'import-ignored', requestId, stage: place.stage, ignored });
      }
      call.sendAnswer('Imported', { imported: counts, ...(isIgnoring && { ignored }) });
    },
    failed: (failure) => {
      // The rest of the body is read and dropped.
      resume();
      call.sendFailure(failure);
    },
  };
  const id = dispatcher.ask({ type: 'import', ...place, strict }, sink);
  if (call.answered) return;
  call.onAbort(() => dispatcher.cancel(id));
  resume = streamBody(call.exchange, bytesMax, {
    data: (bytes, last) => {
      // Nothing is stored before the last byte has arrived.
      if (last) hold(call, () => dispatcher.sendChunk(id, bytes, last));
      else if (!dispatcher.sendChunk(id, bytes, last)) call.exchange.pause();
    },
    tooLarge: () => {
      dispatcher.cancel(id);
      refuseSize(call, bytesMax);
    },
  });
}
