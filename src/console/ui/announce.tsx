/** Short messages: shown for a moment, and read out by screen readers. */
import { signal } from '@preact/signals';

const SHOWN_MS = 2500;

const message = signal('');
let timer = 0;

export function announce(text: string): void {
  message.value = text;
  clearTimeout(timer);
  timer = setTimeout(() => (message.value = ''), SHOWN_MS);
}

export function Announcements() {
  return (
    <div class="announcement" role="status" aria-live="polite" data-shown={message.value !== ''}>
      {message.value}
    </div>
  );
}
