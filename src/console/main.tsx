/** The entry of the console: shows the page. */
import { render } from 'preact';
import { App } from './app.js';
import { restoreTheme } from './ui/theme.js';

restoreTheme();
const root = document.getElementById('app');
if (root !== null) render(<App />, root);
