/** Tabs that work with the keyboard and screen readers. */
import type { ComponentChildren } from 'preact';
import { useRef } from 'preact/hooks';

export interface Tab<Name extends string> {
  readonly name: Name;
  readonly label: string;
  /** A short text behind the label. */
  readonly count?: string;
}

export interface TabsProps<Name extends string> {
  readonly label: string;
  readonly tabs: readonly Tab<Name>[];
  readonly chosen: Name;
  readonly choose: (name: Name) => void;
  /** Shown beside the tabs. */
  readonly aside?: ComponentChildren;
  /** The panel of the chosen tab. */
  readonly children: ComponentChildren;
}

export function Tabs<Name extends string>(props: TabsProps<Name>) {
  const { label, tabs, chosen, choose, aside, children } = props;
  const list = useRef<HTMLDivElement>(null);
  const move = (event: KeyboardEvent) => {
    const steps = { ArrowRight: 1, ArrowLeft: -1 } as const;
    const step = event.key === 'ArrowRight' || event.key === 'ArrowLeft' ? steps[event.key] : 0;
    if (step === 0) return;
    const at = tabs.findIndex(({ name }) => name === chosen);
    const next = tabs[(at + step + tabs.length) % tabs.length];
    if (next === undefined) return;
    event.preventDefault();
    choose(next.name);
    list.current?.querySelector<HTMLElement>(`#tab-${next.name}`)?.focus();
  };
  return (
    <section class="column card results">
      <div class="tab-bar">
        <div role="tablist" aria-label={label} ref={list} onKeyDown={move}>
          {tabs.map(({ name, label: text, count }) => (
            <button
              type="button"
              role="tab"
              id={`tab-${name}`}
              key={name}
              aria-selected={name === chosen}
              aria-controls="tab-panel"
              tabIndex={name === chosen ? 0 : -1}
              onClick={() => choose(name)}
            >
              {text}
              {count !== undefined && <span class="badge">{count}</span>}
            </button>
          ))}
        </div>
        {aside}
      </div>
      <div role="tabpanel" id="tab-panel" aria-labelledby={`tab-${chosen}`} class="tab-panel">
        {children}
      </div>
    </section>
  );
}
