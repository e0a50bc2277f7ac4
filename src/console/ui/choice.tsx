/** A labelled list with one chosen entry. */
import { useId } from 'preact/hooks';

export interface ChoiceProps {
  readonly label: string;
  readonly chosen: string;
  readonly choose: (value: string) => void;
  readonly entries: readonly { readonly value: string; readonly text: string }[];
}

export function Choice({ label, chosen, choose, entries }: ChoiceProps) {
  const id = useId();
  return (
    <div class="choice">
      <label for={id}>{label}</label>
      <select id={id} value={chosen} onChange={({ currentTarget }) => choose(currentTarget.value)}>
        {entries.map(({ value, text }) => (
          <option key={value} value={value}>
            {text}
          </option>
        ))}
      </select>
    </div>
  );
}
