/**
 * The script of the page `/docs`, which shows the OpenAPI document. If requests need a key or a
 * token, it asks for one, and forgets it when the page is closed.
 */
export {};

type Members = Readonly<Record<string, unknown>>;

const METHODS = ['get', 'post', 'put', 'delete'];

const main = one('main');
const form = one('form');
const folder = document.documentElement.dataset['folder'] ?? '.';

form.addEventListener('submit', (event) => {
  event.preventDefault();
  const key = new FormData(form instanceof HTMLFormElement ? form : undefined).get('key');
  void show(typeof key === 'string' ? key : '');
});
void show('');

async function show(key: string): Promise<void> {
  const headers = key === '' ? {} : { authorization: `Bearer ${key}` };
  try {
    const response = await fetch(`${folder}/openapi.json`, { headers });
    form.hidden = response.ok;
    if (!response.ok) {
      const problem = membersOf(await response.json());
      main.replaceChildren(element('p', String(problem['detail'] ?? response.status)));
      return;
    }
    main.replaceChildren(...sectionsOf(membersOf(await response.json())));
  } catch (error) {
    main.replaceChildren(element('p', `The description cannot be loaded: ${String(error)}`));
  }
}

function sectionsOf(api: Members): readonly Element[] {
  const operations = Object.entries(membersOf(api['paths'])).flatMap(([path, item]) =>
    METHODS.flatMap((method) => {
      const operation = membersOf(item)[method];
      return operation === undefined ? [] : [{ method, path, operation: membersOf(operation) }];
    }),
  );
  const tags = listOf(api['tags']).map((tag) => String(membersOf(tag)['name']));
  const sections = tags.map((tag) => {
    const own = operations.filter(({ operation }) => listOf(operation['tags']).includes(tag));
    const lines = own.map(({ method, path, operation }) => operationOf(method, path, operation));
    return element('section', element('h2', tag), ...lines);
  });
  return [...sections, schemasOf(membersOf(membersOf(api['components'])['schemas']))];
}

function operationOf(method: string, path: string, operation: Members): Element {
  const name = element('code', `${method.toUpperCase()} ${path}`);
  const summary = element('summary', name, ` ${String(operation['summary'] ?? '')}`);
  const parameters = listOf(operation['parameters']).map((each) => {
    const { name: parameter, in: place, description = '', example } = membersOf(each);
    const shown = example === undefined ? '' : ` (for example ${String(example)})`;
    return element(
      'li',
      element('code', String(parameter)),
      ` in the ${String(place)}. ${String(description)}${shown}`,
    );
  });
  const responses = Object.entries(membersOf(operation['responses'])).map(([status, response]) => {
    const { description, content } = membersOf(response);
    return element('li', `${status}: ${String(description)} `, ...contentOf(content));
  });
  return element(
    'details',
    summary,
    ...(parameters.length > 0 ? [element('h3', 'Parameters'), element('ul', ...parameters)] : []),
    ...bodyOf(membersOf(operation['requestBody'])),
    element('h3', 'Answers'),
    element('ul', ...responses),
  );
}

function bodyOf(body: Members): readonly Element[] {
  if (body['content'] === undefined) return [];
  const examples = Object.values(membersOf(body['content'])).flatMap((media) =>
    Object.entries(membersOf(membersOf(media)['examples'])).map(([name, example]) =>
      element('div', element('h4', name), codeOf(membersOf(example)['value'])),
    ),
  );
  return [element('h3', 'Body'), element('p', ...contentOf(body['content'])), ...examples];
}

/** The media types with links to their schemas. */
function contentOf(content: unknown): readonly (Element | string)[] {
  return Object.entries(membersOf(content)).flatMap(([type, media]) => {
    const names = JSON.stringify(media).matchAll(/"#\/components\/schemas\/([^"]+)"/g);
    const links = [...new Set([...names].map(([, name = '']) => name))].map(linkTo);
    return [element('code', type), ' ', ...links.flatMap((link) => [link, ' '])];
  });
}

function linkTo(name: string): Element {
  const link = document.createElement('a');
  link.href = `#${name}`;
  link.textContent = name;
  return link;
}

function schemasOf(schemas: Members): Element {
  const all = Object.entries(schemas).map(([name, schema]) => {
    const details = element('details', element('summary', element('code', name)), codeOf(schema));
    details.id = name;
    return details;
  });
  return element('section', element('h2', 'Schemas'), ...all);
}

function codeOf(value: unknown): Element {
  return element('pre', element('code', JSON.stringify(value, undefined, 2)));
}

function element(name: string, ...content: readonly (Element | string)[]): HTMLElement {
  const made = document.createElement(name);
  made.append(...content);
  return made;
}

function one(selector: string): HTMLElement {
  const found = document.querySelector(selector);
  if (!(found instanceof HTMLElement)) throw new Error(`The page has no ${selector}.`);
  return found;
}

function membersOf(value: unknown): Members {
  return typeof value === 'object' && value !== null ? { ...value } : {};
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}
