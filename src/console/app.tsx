/** The page: the header, and one of the three views below it. */
import { signal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { Header } from './header.js';
import { watchExpression } from './query/check.js';
import { QueryView } from './query/query-view.js';
import { watchSchema } from './query/schema-state.js';
import { Announcements } from './ui/announce.js';

export type ViewName = 'query' | 'schema' | 'live';

export const shownView = signal<ViewName>('query');

export function App() {
  useEffect(() => {
    const stops = [watchSchema(), watchExpression()];
    return () => stops.forEach((stop) => stop());
  }, []);
  return (
    <>
      <Header />
      <main>
        <QueryView />
      </main>
      <Announcements />
    </>
  );
}
