/** The diagram: a box for each entity, a line for each relation. */
import { plural } from '../ui/format.js';
import { BOX, type Box, type Diagram as Layout, type Edge } from './layout.js';

export interface DiagramProps {
  readonly layout: Layout;
  readonly scale: number;
  readonly chosen: string;
  readonly choose: (entity: string) => void;
}

export function Diagram({ layout, scale, chosen, choose }: DiagramProps) {
  const { boxes, edges, width, height } = layout;
  const boxOf = new Map(boxes.map((box) => [box.entity.name, box]));
  const isNear = (name: string) =>
    edges.some(
      ({ from, to }) => (from === chosen && to === name) || (to === chosen && from === name),
    );
  return (
    <svg
      class="diagram"
      role="group"
      aria-label="Entities and relations"
      viewBox={`0 0 ${width} ${height}`}
      style={{ width: `${width * scale}px`, height: `${height * scale}px` }}
    >
      <g class="edges">
        {edges.map((edge) => {
          const [from, to] = [boxOf.get(edge.from), boxOf.get(edge.to)];
          if (!from || !to) return null;
          const isOfChosen = edge.from === chosen || edge.to === chosen;
          return <Line key={`${edge.from}.${edge.name}`} {...{ edge, from, to, isOfChosen }} />;
        })}
      </g>
      {boxes.map((box) => (
        <EntityBox
          key={box.entity.name}
          box={box}
          state={box.entity.name === chosen ? 'chosen' : isNear(box.entity.name) ? 'near' : 'plain'}
          choose={() => choose(box.entity.name)}
        />
      ))}
    </svg>
  );
}

function EntityBox({
  box: { entity, x, y },
  state,
  choose,
}: {
  readonly box: Box;
  readonly state: string;
  readonly choose: () => void;
}) {
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' && event.key !== ' ') return;
    event.preventDefault();
    choose();
  };
  return (
    <g
      class="entity-box"
      data-state={state}
      role="button"
      // Attributes of SVG are written in lower case.
      tabindex={0}
      aria-pressed={state === 'chosen'}
      transform={`translate(${x} ${y})`}
      onClick={choose}
      onKeyDown={onKeyDown}
    >
      <rect width={BOX.width} height={BOX.height} rx="8" />
      <text x="14" y="24" class="entity-name">
        {entity.name}
      </text>
      <text x="14" y="43" class="entity-detail">
        {plural(entity.properties.length, 'property', 'properties')},{' '}
        {plural(entity.relations.length, 'relation')}
      </text>
    </g>
  );
}

/**
 * A line from the entity with the foreign key to the referenced entity, marked by a small circle.
 */
function Line({
  edge,
  from,
  to,
  isOfChosen,
}: {
  readonly edge: Edge;
  readonly from: Box;
  readonly to: Box;
  readonly isOfChosen: boolean;
}) {
  const middle = BOX.height / 2;
  const isSelf = from === to;
  const isBackwards = from.x <= to.x;
  const start = { x: from.x + (isBackwards ? BOX.width : 0), y: from.y + middle };
  const end = { x: to.x + BOX.width, y: to.y + middle + (isSelf ? 16 : 0) };
  const bend = isSelf ? 44 : Math.max(40, Math.abs(start.x - end.x) / 2);
  const before = start.x + (isBackwards ? bend : -bend);
  return (
    <g class="edge" data-near={isOfChosen}>
      <path
        d={`M${start.x} ${start.y} C${before} ${start.y} ${end.x + bend} ${end.y} ${end.x} ${end.y}`}
      >
        <title>{`${edge.from}.${edge.name} → ${edge.to}`}</title>
      </path>
      <circle cx={end.x} cy={end.y} r="3.5" />
    </g>
  );
}
