/** The page: the header, and one of the three views below it. */
import type { ComponentType } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { isKeyAsked } from './gateway/key.js';
import { Header } from './header.js';
import { KeyDialog } from './key-dialog.js';
import { watchExpression } from './query/check.js';
import { QueryView } from './query/query-view.js';
import { watchSchema } from './query/schema-state.js';
import { watchLink } from './query/state.js';
import { shownView, type ViewName } from './shown-view.js';
import { Announcements } from './ui/announce.js';

export function App() {
  useEffect(() => {
    const stops = [watchSchema(), watchExpression(), watchLink()];
    return () => stops.forEach((stop) => stop());
  }, []);
  const shown = shownView.value;
  return (
    <>
      <Header />
      <main id="view" class="column">
        {shown === 'query' ? <QueryView /> : <LaterView key={shown} name={shown} />}
      </main>
      {isKeyAsked.value && <KeyDialog />}
      <Announcements />
    </>
  );
}

type LaterName = Exclude<ViewName, 'query'>;

/** These views are loaded when they are shown for the first time. */
const loaders: Readonly<Record<LaterName, () => Promise<ComponentType>>> = {
  schema: async () => (await import('./schema/schema-view.js')).SchemaView,
  live: async () => (await import('./live/live-view.js')).LiveView,
};

function LaterView({ name }: { readonly name: LaterName }) {
  const [loaded, setLoaded] = useState<{ readonly View?: ComponentType }>({});
  useEffect(() => {
    void loaders[name]().then((View) => setLoaded({ View }));
  }, [name]);
  return loaded.View ? <loaded.View /> : <p class="empty">Loading…</p>;
}
