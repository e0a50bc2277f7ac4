/** A button that opens a list of actions. */
import { useEffect, useRef, useState } from 'preact/hooks';
import type { ComponentChildren } from 'preact';

export interface MenuItem {
  readonly label: string;
  readonly hint?: string;
  readonly act: () => void;
}

export function Menu({
  label,
  items,
  children,
}: {
  readonly label: string;
  readonly items: readonly MenuItem[];
  readonly children: ComponentChildren;
}) {
  const [isOpen, setOpen] = useState(false);
  const root = useRef<HTMLDivElement>(null);
  const entries = () => [...(root.current?.querySelectorAll<HTMLElement>('[role=menuitem]') ?? [])];
  const close = () => {
    setOpen(false);
    root.current?.querySelector('button')?.focus();
  };
  useEffect(() => {
    if (!isOpen) return undefined;
    entries()[0]?.focus();
    const outside = ({ target }: Event) => {
      if (target instanceof Node && root.current?.contains(target) === false) setOpen(false);
    };
    document.addEventListener('pointerdown', outside);
    return () => document.removeEventListener('pointerdown', outside);
  }, [isOpen]);
  const move = (event: KeyboardEvent) => {
    if (!isOpen) return;
    if (event.key === 'Escape') return close();
    const all = entries();
    const at = all.findIndex((each) => each === document.activeElement);
    const next = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: -1 }[event.key];
    if (next === undefined) return;
    event.preventDefault();
    all.at(next % all.length)?.focus();
  };
  return (
    <div class="menu" ref={root} onKeyDown={move}>
      <button
        type="button"
        class="button"
        aria-haspopup="menu"
        aria-expanded={isOpen}
        onClick={() => setOpen(!isOpen)}
      >
        {children}
      </button>
      {isOpen && (
        <div class="menu-list" role="menu" aria-label={label}>
          {items.map((item) => (
            <button
              type="button"
              role="menuitem"
              key={item.label}
              onClick={() => {
                close();
                item.act();
              }}
            >
              {item.label}
              {item.hint !== undefined && <small>{item.hint}</small>}
            </button>
          ))}
        </div>
      )}
    </div>
  );
}
