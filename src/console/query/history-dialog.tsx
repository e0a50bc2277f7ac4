/** Shows the queries that were executed. */
import { Dialog } from '../ui/dialog.js';
import { forgetAll, history } from './history.js';
import { openQuery } from './state.js';

const times = new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeStyle: 'short' });

export function HistoryDialog({ close }: { readonly close: () => void }) {
  const entries = history.value;
  return (
    <Dialog title="History" close={close}>
      {entries.length === 0 && <p class="empty">No query has been run in this browser.</p>}
      <ul class="history">
        {entries.map((entry) => (
          <li key={entry.at}>
            <button
              type="button"
              onClick={() => {
                openQuery(entry);
                close();
              }}
            >
              <code>{entry.query}</code>
              <small>{times.format(entry.at)}</small>
            </button>
          </li>
        ))}
      </ul>
      {entries.length > 0 && (
        <div class="dialog-end">
          <button type="button" class="button" onClick={forgetAll}>
            Clear the history
          </button>
        </div>
      )}
    </Dialog>
  );
}
