/** The buttons above the editor. */
import { useSignal } from '@preact/signals';
import { copyText } from '../ui/copy-text.js';
import { Icon } from '../ui/icons.js';
import { Menu, type MenuItem } from '../ui/menu.js';
import { dropOldValues } from './check.js';
import { HistoryDialog } from './history-dialog.js';
import { linkTo } from './link.js';
import { run, runQuery, stopQuery } from './run.js';
import { clientCall, curlCommand, fetchCall } from './snippets.js';
import { current } from './state.js';

const isMac = navigator.platform.startsWith('Mac');

export function QueryBar() {
  const isHistoryShown = useSignal(false);
  return (
    <div class="bar">
      <RunButton />
      <div class="bar-end">
        <button type="button" class="button" onClick={() => (isHistoryShown.value = true)}>
          <Icon name="clock" /> History
        </button>
        <Menu label="Copy the query" items={copies}>
          <Icon name="copy" /> Copy as
        </Menu>
      </div>
      {isHistoryShown.value && <HistoryDialog close={() => (isHistoryShown.value = false)} />}
    </div>
  );
}

function RunButton() {
  if (run.value?.state === 'running') {
    return (
      <button type="button" class="button primary" onClick={stopQuery}>
        <Icon name="stop" filled /> Stop
      </button>
    );
  }
  return (
    <button type="button" class="button primary" onClick={() => void runQuery()}>
      <Icon name="play" filled /> Run <kbd>{isMac ? '⌘' : 'Ctrl'} ↵</kbd>
    </button>
  );
}

const copies: readonly MenuItem[] = [
  copy('Link', 'to this page with the query', copyLink),
  copy('curl', 'for a shell', curlCommand),
  copy('fetch', 'JavaScript', fetchCall),
  copy('Client code', '@rowgate/client', clientCall),
];

function copy(label: string, hint: string, text: () => string): MenuItem {
  const act = () => {
    dropOldValues();
    void copyText(text(), label);
  };
  return { label, hint, act };
}

/** The link also becomes the address of the page, so that it can be reloaded or bookmarked. */
function copyLink(): string {
  const link = linkTo(current.value);
  history.replaceState(null, '', link);
  return link;
}
