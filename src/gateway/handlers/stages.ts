/** The stage endpoints. */
import { describeStage, describeStages } from '../../engine/index.js';
import type { Call } from '../call.js';
import { askedView, chooseView } from '../choose-view.js';
import { notFound } from './schema.js';
import { answerWithRows } from './rows-answer.js';
import { documentFormat } from '../rows-format.js';

/** `GET /stages`. */
export function answerStages(call: Call): void {
  call.sendDescription(describeStages(call.service.catalog));
}

/** `GET /stages/{name}/exists`: whether the tables of the stage are there. */
export function answerStageExists(call: Call): void {
  const { dispatcher } = call.service;
  const id = dispatcher.ask(
    { type: 'probe', stage: stageOf(call), tables: true },
    {
      probed: (exists) => call.sendAnswer('Exists', { exists }),
      failed: (failure) => call.sendFailure(failure),
    },
  );
  call.onAbort(() => dispatcher.cancel(id));
}

/** `GET /stages/{name}/export`: the document that an import takes. */
export function exportStage(call: Call): void {
  const { pretty } = call;
  const document = { type: 'export', ...stageViewOf(call), pretty } as const;
  if (call.exchange.method === 'HEAD') {
    call.sendRowsHead(documentFormat.headers);
    return;
  }
  const { dispatcher } = call.service;
  const place = { format: documentFormat, dispatcher };
  answerWithRows(call, place, (sink) => dispatcher.ask(document, sink));
}

/** The stage of the path. Throws a `Refusal` where there is none of that name. */
function stageOf(call: Call): string {
  const [name = ''] = call.parameters;
  if (describeStage(call.service.catalog, name) === undefined) throw notFound('stage', name);
  return name;
}

/** The same with the view that its rows are told or stored under. */
export function stageViewOf(call: Call): { readonly stage: string; readonly view: string } {
  const stage = stageOf(call);
  const { catalog } = call.service;
  return { stage, view: chooseView(catalog, stage, askedView(call.exchange.query)) };
}
