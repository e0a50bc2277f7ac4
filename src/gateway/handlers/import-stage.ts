/**
 * `POST /stages/{name}/import`: passes the body to a worker in chunks, no faster than the worker reads it.
 */
import type { Call } from '../call.js';
import type { ImportFlow, ImportPlace } from '../dispatcher/dispatcher.js';
import type { ImportSink } from '../dispatcher/sinks.js';
import { acceptsMedia, hold, refuseSize } from './read-json.js';
import { announcesMoreThan, type BodyFlow, dropBody, streamBody } from '../http/read-body.js';
import { stageViewOf } from './stages.js';

const ASKS_STRICT = /(?:^|&)strict=true(?:&|$)/;

/** Imports the body into the stage that the path names. */
export function importStage(call: Call): void {
  const place = stageViewOf(call, 'insert');
  const { query } = call.exchange;
  const { importBytesMax, strictImport } = call.service.configuration;
  const strict = strictImport || ASKS_STRICT.test(query);
  if (!acceptsMedia(call)) return;
  if (announcesMoreThan(call.exchange, importBytesMax)) {
    dropBody(call.exchange, importBytesMax, () => refuseSize(call, importBytesMax));
  } else passBodyOn(call, { ...place, strict }, importBytesMax);
}

function passBodyOn(call: Call, place: ImportPlace, bytesMax: number): void {
  let body: BodyFlow | undefined;
  const flow: ImportFlow = call.service.dispatcher.import(
    place,
    importSink(call, place, () => body),
  );
  if (call.answered) return;
  call.onAbort(() => flow.cancel());
  body = streamBody(call.exchange, bytesMax, {
    data: (bytes, last) => {
      // Nothing is stored before the last byte has arrived.
      if (last) hold(call, () => flow.send(bytes, last));
      else if (!flow.send(bytes, last)) body?.pause();
    },
    tooLarge: () => {
      flow.cancel();
      refuseSize(call, bytesMax);
    },
  });
}

function importSink(
  call: Call,
  { stage }: ImportPlace,
  body: () => BodyFlow | undefined,
): ImportSink {
  return {
    counts: call.principal?.counts,
    ready: () => body()?.resume(),
    imported: (counts, ignored) => {
      const isIgnoring = Object.keys(ignored).length > 0;
      if (isIgnoring) {
        const { requestId, service } = call;
        service.observer.observe({ kind: 'import-ignored', requestId, stage, ignored });
      }
      call.sendAnswer('Imported', { imported: counts, ...(isIgnoring && { ignored }) });
    },
    failed: (failure) => {
      // The rest of the body is read and dropped.
      body()?.resume();
      call.sendFailure(failure);
    },
  };
}
