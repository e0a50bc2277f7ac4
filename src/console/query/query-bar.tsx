/** The buttons above the editor. */
import { Icon } from '../ui/icons.js';
import { run, runQuery, stopQuery } from './run.js';

export function QueryBar() {
  const isRunning = run.value?.state === 'running';
  return (
    <div class="bar">
      {isRunning ? (
        <button type="button" class="button primary" onClick={stopQuery}>
          <Icon name="stop" filled /> Stop
        </button>
      ) : (
        <button type="button" class="button primary" onClick={() => void runQuery()}>
          <Icon name="play" filled /> Run <kbd>Ctrl ↵</kbd>
        </button>
      )}
    </div>
  );
}
