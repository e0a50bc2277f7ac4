/** The input for one parameter, depending on its type. */
import { useId, useState } from 'preact/hooks';
import { inputText, isList, readInput } from './parameter-values.js';

export interface ParameterInputProps {
  readonly name: string;
  readonly type: string;
  readonly value: unknown;
  readonly change: (value: unknown) => void;
}

export function ParameterInput({ name, type, value, change }: ParameterInputProps) {
  const id = useId();
  const isNull = value === null;
  return (
    <div class="field">
      <label for={id}>
        {name} <span class="type">{type}</span>
      </label>
      <div class="field-input">
        <TypedInput id={id} name={name} type={type} value={value} change={change} />
        <button
          type="button"
          class="null-switch"
          aria-pressed={isNull}
          aria-label={`${name} is null`}
          onClick={() => change(isNull ? undefined : null)}
        >
          null
        </button>
      </div>
    </div>
  );
}

function TypedInput({ id, type, value, change }: ParameterInputProps & { readonly id: string }) {
  // The typed text stays, even if the same value could be written differently.
  const [typed, setTyped] = useState({ text: inputText(value, type), value });
  const text = typed.value === value ? typed.text : inputText(value, type);
  const enter = (entered: string) => {
    const next = readInput(entered, type);
    setTyped({ text: entered, value: next });
    change(next);
  };
  const disabled = value === null;
  if (type === 'boolean') {
    return (
      <select
        id={id}
        value={text}
        disabled={disabled}
        onChange={({ currentTarget }) => enter(currentTarget.value)}
      >
        <option value="">choose…</option>
        <option>true</option>
        <option>false</option>
      </select>
    );
  }
  return (
    <input
      id={id}
      {...attributesOf(type)}
      value={text}
      disabled={disabled}
      autocomplete="off"
      spellcheck={false}
      onInput={({ currentTarget }) => enter(currentTarget.value)}
    />
  );
}

/** The kind of the input, and its placeholder. */
function attributesOf(type: string) {
  if (isList(type)) return { type: 'text', placeholder: 'a, b, c' } as const;
  switch (type) {
    case 'integer':
      return { type: 'text', inputMode: 'numeric', pattern: '-?[0-9]*', placeholder: '0' } as const;
    case 'decimal':
    case 'number':
      return { type: 'text', inputMode: 'decimal', placeholder: '0.0' } as const;
    case 'date':
      return { type: 'date' } as const;
    case 'dateTime':
      return { type: 'text', placeholder: '2024-01-31T12:00:00Z' } as const;
    case 'time':
      return { type: 'time', step: 1 } as const;
    default:
      return { type: 'text', placeholder: type === 'string' ? '' : type } as const;
  }
}
