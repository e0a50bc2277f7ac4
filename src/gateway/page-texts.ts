/** The texts of the pages `/` and `/docs`. */
import { readFileSync } from 'node:fs';

/**
 * `folder`: the folder of the server, relative to the page; `files`: that of the page's own files.
 */
export function docsPage(folder: string, files: string): string {
  return `<!doctype html>
<html lang="en" data-folder="${folder}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Rowgate: endpoints</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="${files}/docs.css">
<script type="module" src="${files}/docs.js"></script>
</head>
<body>
<h1>Endpoints</h1>
<p>As an <a href="${folder}/openapi.json">OpenAPI document</a>.</p>
<form hidden>
<label>Key or token <input name="key" type="password" autocomplete="off" required></label>
<button>Show</button>
</form>
<main aria-live="polite"><p>Loading …</p></main>
<noscript><p>This page needs JavaScript.</p></noscript>
</body>
</html>
`;
}

/** The page has relative links, so it works behind a path prefix that ends with a slash. */
export function homePage(version: string, hasMetrics: boolean): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Rowgate</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="docs/docs.css">
</head>
<body>
<h1>Rowgate ${version}</h1>
<ul>
<li><a href="console">Console</a>: try queries, and see their plans</li>
<li><a href="docs">Endpoints</a>, as an <a href="openapi.json">OpenAPI document</a>, too</li>
<li>${hasMetrics ? '<a href="metrics">Metrics</a>, and ' : ''}<a href="stats?format=beautiful">statistics</a> of queries</li>
</ul>
</body>
</html>
`;
}

export const STYLE = `:root { color-scheme: light dark; }
body { font: 1rem/1.5 system-ui, sans-serif; margin: 2rem auto; max-width: 60rem; padding: 0 1rem; }
summary { cursor: pointer; padding: 0.25rem 0; }
details > :not(summary) { margin-left: 1.5rem; }
pre { background: light-dark(#f3f3f3, #222); overflow: auto; padding: 0.75rem; }
code { font-family: ui-monospace, monospace; }
h3, h4 { font-size: 1rem; margin-bottom: 0.25rem; }
a { color: light-dark(#0645ad, #8ab4f8); }
`;

let script: string | undefined;

/** The compiled script of the page at `/docs`, in the same folder as the compiled gateway. */
export function docsScript(): string {
  const file = new URL('../docs-page/docs.js', import.meta.url);
  return (script ??= readFileSync(file, 'utf8'));
}
