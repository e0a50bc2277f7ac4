/** Asks for the API key or token, once the gateway has refused a request without one. */
import { useRef } from 'preact/hooks';
import { applyKey, isKeyAsked, isKeyRefused, key } from './gateway/key.js';
import { Dialog } from './ui/dialog.js';

export function KeyDialog() {
  const input = useRef<HTMLInputElement>(null);
  const isWrong = key.value !== '' && isKeyRefused.value;
  return (
    <Dialog title="API key or token" close={() => (isKeyAsked.value = false)}>
      <form
        class="column key-form"
        onSubmit={(event) => {
          event.preventDefault();
          applyKey(input.current?.value ?? '');
        }}
      >
        <label for="key">
          {isWrong ? 'The gateway does not accept this key.' : 'This gateway needs a key.'} It is
          stored until this tab is closed.
        </label>
        <input
          id="key"
          ref={input}
          type="password"
          autocomplete="off"
          defaultValue={key.value}
          aria-invalid={isWrong}
        />
        <div class="dialog-end">
          <button type="submit" class="button primary">
            Use this key
          </button>
        </div>
      </form>
    </Dialog>
  );
}
