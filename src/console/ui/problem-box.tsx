/** A problem that the gateway answered, in full. */
import type { Problem } from '../gateway/problem.js';

export function ProblemBox({ problem }: { readonly problem: Problem }) {
  const { title, detail, hint, code, status, place, requestId } = problem;
  return (
    <div class="problem" role="alert">
      <h2>{title}</h2>
      <p>
        {detail} {hint}
      </p>
      <dl>
        <Fact name="Code" value={code} />
        {status > 0 && <Fact name="Status" value={String(status)} />}
        {place !== undefined && <Fact name="Place" value={place} />}
        {requestId !== undefined && <Fact name="Request" value={requestId} />}
      </dl>
    </div>
  );
}

function Fact({ name, value }: { readonly name: string; readonly value: string }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{value}</dd>
    </div>
  );
}
