/** The stage endpoints. */
import { describeStage, describeStages } from '../../engine/index.js';
import type { Call } from '../call.js';
import { askedView, chooseView } from '../choose-view.js';
import { tellNamed } from './schema.js';
import { answerWithRows } from './rows-answer.js';
import { documentFormat } from '../rows-format.js';

/** `GET /stages`. */
export function answerStages(call: Call): void {
  call.sendDescription('Stages', describeStages(call.service.catalog));
}

/** `GET /stages/{name}`. */
export function answerStage(call: Call): void {
  tellNamed(call, 'Stage', 'stage-not-found', describeStage);
}

/** `GET /stages/{name}/exists`: whether the tables of the stage are there. */
export function answerStageExists(call: Call): void {
  withStage(call, (stage) => {
    const { dispatcher } = call.service;
    const id = dispatcher.probe(stage, true, {
      probed: (exists) => call.sendAnswer('Exists', { exists }),
      failed: (failure) => call.sendFailure(failure),
    });
    call.onAbort(() => dispatcher.cancel(id));
  });
}

/** `GET /stages/{name}/export`: the document that an import takes. */
export function exportStage(call: Call): void {
  withStageView(call, (stage, view) => {
    if (call.exchange.method === 'HEAD') {
      call.sendRowsHead(documentFormat.headers);
      return;
    }
    const format = { pretty: call.pretty };
    answerWithRows(call, documentFormat, (sink) =>
      call.service.dispatcher.export({ stage, view }, format, sink),
    );
  });
}

/** Calls `use` with the stage of the path, or answers 404. */
function withStage(call: Call, use: (stage: string) => void): void {
  const [name = ''] = call.parameters;
  if (describeStage(call.service.catalog, name) !== undefined) use(name);
  else call.sendProblem({ code: 'stage-not-found', detail: `There is no stage named "${name}".` });
}

/** The same with the view that its rows are told or stored under. */
export function withStageView(call: Call, use: (stage: string, view: string) => void): void {
  withStage(call, (stage) => {
    const { catalog } = call.service;
    const chosen = chooseView(catalog, stage, askedView(call.exchange.query));
    if ('problem' in chosen) call.sendProblem(chosen.problem);
    else use(stage, chosen.view);
  });
}
