/** The icons: simple lines in the colour of the text. */

const paths = {
  play: 'M6 4l13 8-13 8z',
  stop: 'M6 6h12v12H6z',
  copy: 'M9 9h10v11H9zM5 15V4h10',
  clock: 'M12 7v5l3 2M21 12a9 9 0 1 1-18 0 9 9 0 0 1 18 0z',
  key: 'M14 10a4 4 0 1 0-3 3.9L13 16h2v2h2v2h3v-3l-6.1-6.1',
  theme: 'M12 3a9 9 0 0 0 0 18zM12 3a9 9 0 0 1 0 18',
  close: 'M6 6l12 12M18 6L6 18',
  right: 'M9 6l6 6-6 6',
  down: 'M6 9l6 6 6-6',
  up: 'M6 15l6-6 6 6',
  plus: 'M12 5v14M5 12h14',
  minus: 'M5 12h14',
} as const;

export type IconName = keyof typeof paths;

/** An icon beside a text, or in a button with a label, so it is hidden from screen readers. */
export function Icon({
  name,
  filled = false,
}: {
  readonly name: IconName;
  readonly filled?: boolean;
}) {
  return (
    <svg class={filled ? 'icon filled' : 'icon'} viewBox="0 0 24 24" aria-hidden="true">
      <path d={paths[name]} />
    </svg>
  );
}

/** A button with an icon instead of a text. */
export function IconButton({
  icon,
  label,
  title,
  act,
}: {
  readonly icon: IconName;
  readonly label: string;
  readonly title?: string;
  readonly act: () => void;
}) {
  return (
    <button type="button" class="button icon-only" aria-label={label} title={title} onClick={act}>
      <Icon name={icon} />
    </button>
  );
}
