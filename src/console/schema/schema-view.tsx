/** The schema as an interactive diagram, with the chosen entity beside it. */
import { useSignal } from '@preact/signals';
import { useMemo } from 'preact/hooks';
import { entities, schemaFault } from '../query/schema-state.js';
import { Choice } from '../ui/choice.js';
import { IconButton } from '../ui/icons.js';
import { ProblemBox } from '../ui/problem-box.js';
import { Diagram } from './diagram.js';
import { EntityPanel } from './entity-panel.js';
import { layoutOf } from './layout.js';

const SCALES = [0.4, 0.55, 0.75, 1, 1.3] as const;

export function SchemaView() {
  const all = entities.value;
  const layout = useMemo(() => layoutOf(all), [all]);
  const chosen = useSignal('');
  const step = useSignal(SCALES.indexOf(1));
  if (schemaFault.value) return <ProblemBox problem={schemaFault.value} />;
  const entity = all.find(({ name }) => name === chosen.value) ?? all[0];
  const choose = (name: string) => (chosen.value = name);
  const zoom = (by: number) => {
    step.value = Math.min(Math.max(step.value + by, 0), SCALES.length - 1);
  };
  return (
    <div class="schema-view">
      <section class="column card diagram-card" aria-label="Diagram">
        <div class="bar">
          <Choice
            label="Entity"
            chosen={entity?.name ?? ''}
            choose={choose}
            names={all.map(({ name }) => name)}
          />
          <div class="bar-end">
            <IconButton label="Smaller" icon="minus" act={() => zoom(-1)} />
            <IconButton label="Larger" icon="plus" act={() => zoom(1)} />
          </div>
        </div>
        <div class="diagram-scroller" tabIndex={0} role="region" aria-label="Diagram of the schema">
          <Diagram
            layout={layout}
            scale={SCALES[step.value] ?? 1}
            chosen={entity?.name ?? ''}
            choose={choose}
          />
        </div>
      </section>
      {entity && <EntityPanel entity={entity} choose={choose} />}
    </div>
  );
}
