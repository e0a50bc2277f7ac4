/** Where queries are written: the editor, the parameters, and what the gateway answers. */
import { Editor } from '../editor/editor.js';
import { RowsTab } from '../rows/rows-tab.js';
import { fault, parameters } from './check.js';
import { QueryBar } from './query-bar.js';
import { runQuery } from './run.js';
import { entities } from './schema-state.js';
import { expression } from './state.js';

export function QueryView() {
  const vocabulary = () => ({ entities: entities.value, parameters: parameters.value });
  return (
    <div class="query-view">
      <section class="card" aria-label="Query">
        <QueryBar />
        <Editor
          text={expression}
          fault={fault}
          vocabulary={vocabulary}
          run={() => void runQuery()}
        />
      </section>
      <RowsTab />
    </div>
  );
}
