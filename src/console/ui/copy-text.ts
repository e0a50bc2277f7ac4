/** Copies a text to the clipboard. */
import { announce } from './announce.js';

/** Copies the text and announces it; `what` names the text. */
export async function copyText(text: string, what: string): Promise<void> {
  const isCopied = await write(text);
  announce(isCopied ? `${what} copied.` : 'The browser does not allow copying.');
}

/** Without TLS, browsers offer only the older API to pages of other machines. */
async function write(text: string): Promise<boolean> {
  if (navigator.clipboard !== undefined) {
    return navigator.clipboard.writeText(text).then(
      () => true,
      () => false,
    );
  }
  const area = document.createElement('textarea');
  area.value = text;
  document.body.append(area);
  area.select();
  const isCopied = document.execCommand('copy');
  area.remove();
  return isCopied;
}
