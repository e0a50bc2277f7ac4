/** The stage endpoints. */
import { describeStages } from '../../engine/index.js';
import { requireAllEntities } from '../access/principal.js';
import type { Call } from '../call.js';
import { askedView, catalogUnder, chooseView } from '../choose-view.js';
import { Refusal } from '../errors.js';
import { stageOf } from './schema.js';
import { answerWithRows } from './rows-answer.js';
import { documentFormat } from '../rows-format.js';

/** `GET /stages`: those that the sender may use. */
export function answerStages(call: Call): void {
  const allowed = call.principal?.stages;
  const stages = describeStages(call.service.catalog);
  call.sendDescription(stages.filter(({ name }) => allowed?.includes(name) ?? true));
}

/** `GET /stages/{name}/exists`: whether the tables of the stage exist. */
export function answerStageExists(call: Call): void {
  const { dispatcher } = call.service;
  const id = dispatcher.ask(
    { type: 'probe', stage: stageOf(call) },
    {
      probed: (exists) => call.sendAnswer('Exists', { exists }),
      failed: (failure) => call.sendFailure(failure),
    },
  );
  call.onAbort(() => dispatcher.cancel(id));
}

const ASKS_READ_ONLY = /(?:^|&)readOnly=true(?:&|$)/;

/** `GET /stages/{name}/export`: the document that an import accepts; with `readOnly=true`, read-only entities as well. */
export function exportStage(call: Call): void {
  const { pretty } = call;
  const withReadOnly = ASKS_READ_ONLY.test(call.exchange.query);
  const place = stageViewOf(call, 'select');
  if (call.exchange.method === 'HEAD') {
    catalogUnder(call.service.catalog, place.view);
    call.sendEmpty(200, documentFormat.headers);
    return;
  }
  const { dispatcher } = call.service;
  const document = { type: 'export', ...place, withReadOnly, pretty } as const;
  answerWithRows(call, { format: documentFormat, dispatcher }, (sink) =>
    dispatcher.ask(document, sink),
  );
}

const ONLY_QUERIES =
  'Only the queries in a file are allowed. An import or export needs a key or token that allows it.';

/** The stage, and the view under which all its rows are exported, or any are stored. */
export function stageViewOf(
  call: Call,
  verb: 'select' | 'insert',
): { readonly stage: string; readonly view: string } {
  const stage = stageOf(call);
  if (call.principal) requireAllEntities(call.principal, verb);
  else if (call.service.configuration.queriesFile !== undefined) {
    throw new Refusal('query-not-allowed', ONLY_QUERIES);
  }
  return { stage, view: chooseView(call.scope, stage, askedView(call.exchange.query)) };
}
