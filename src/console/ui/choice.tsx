/** A labelled list of names with a chosen one. An empty name stands for the default. */
import { useId } from 'preact/hooks';

export interface ChoiceProps {
  readonly label: string;
  readonly chosen: string;
  readonly choose: (value: string) => void;
  readonly names: readonly string[];
}

export function Choice({ label, chosen, choose, names }: ChoiceProps) {
  const id = useId();
  return (
    <div class="choice">
      <label for={id}>{label}</label>
      <select id={id} value={chosen} onChange={({ currentTarget }) => choose(currentTarget.value)}>
        {names.map((name) => (
          <option key={name} value={name}>
            {name || 'default'}
          </option>
        ))}
      </select>
    </div>
  );
}
