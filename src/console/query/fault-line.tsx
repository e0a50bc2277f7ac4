/** Shows the error in the expression below the editor. */
import type { Problem } from '../gateway/problem.js';
import { fault, isChecked } from './check.js';

export function FaultLine() {
  const problem = fault.value;
  return (
    <div class="fault-line" role="status" data-state={problem ? 'wrong' : 'right'}>
      {problem ? <Wrong problem={problem} /> : isChecked.value ? 'No errors' : 'Checking…'}
    </div>
  );
}

function Wrong({ problem: { detail, hint, position } }: { readonly problem: Problem }) {
  return (
    <>
      {position && <strong>{`${position.ln}:${position.col} `}</strong>}
      {detail} {hint}
    </>
  );
}
