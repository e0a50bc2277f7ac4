/**
 * Records expressions: a lambda is called once with a proxy for its row, and what it does with the proxy
 * becomes text. Values become parameters, named in the order of the text, so that the text does not depend on
 * them and the gateway compiles it once.
 */

/** Writes the text of an expression, and appends the values of its parameters. */
export type Render = (values: unknown[]) => string;

type Lambda = (row: never) => unknown;

const RENDER = Symbol('render');

/** The names of the parameters are `$1`, `$2`, …; lambdas have the variables `a`, `b`, … by their depth. */
let depth = 0;

/**
 * An expression that is recorded. Reading a member extends its path, and calling it records a call. It is
 * typed by the caller: the types of queries exist only for the compiler.
 */
export function recorded(render: Render): never {
  const proxy: unknown = new Proxy(
    Object.assign(() => undefined, { [RENDER]: render }),
    {
      get: (target, key) => {
        if (key === RENDER) return target[RENDER];
        if (typeof key === 'string') return recorded((values) => render(values) + memberText(key));
        throw new TypeError('Expressions have no operators: use eq(a, b), add(a, b) and so on.');
      },
      apply: (_target, _this, given: readonly unknown[]) => {
        const call = callText('', given);
        return recorded((values) => render(values) + call(values));
      },
    },
  );
  return proxy as never;
}

/** Records `name(…)`. */
export function callText(name: string, given: readonly unknown[]): Render {
  const written = given.map(argumentText);
  return (values) => `${name}(${written.map((each) => each(values)).join(',')})`;
}

/** An argument: a lambda, an expression, a list that contains one, or a value, which becomes a parameter. */
export function argumentText(given: unknown): Render {
  const render = renderOf(given);
  if (render) return render;
  if (isLambda(given)) return lambdaText(given);
  if (Array.isArray(given) && given.some(renderOf)) return listText(given);
  if (given === undefined) throw new TypeError('A value in a query is undefined.');
  return (values) => `$${values.push(given)}`;
}

function lambdaText(lambda: Lambda): Render {
  const variable = String.fromCharCode(97 + depth);
  depth += 1;
  try {
    const body = bodyText(lambda(recorded(() => variable)));
    return (values) => `${variable}=>${body(values)}`;
  } finally {
    depth -= 1;
  }
}

/** What a lambda returns: a list or an object of expressions, or a single one. */
function bodyText(body: unknown): Render {
  if (Array.isArray(body)) return listText(body);
  if (typeof body !== 'object' || body === null || body instanceof Date) return argumentText(body);
  const members = Object.entries(body).map(([name, value]) => {
    const text = argumentText(value);
    return (values: unknown[]) => `${isName(name) ? name : JSON.stringify(name)}:${text(values)}`;
  });
  return (values) => `({${members.map((each) => each(values)).join(',')}})`;
}

function listText(items: readonly unknown[]): Render {
  const written = items.map(argumentText);
  return (values) => `[${written.map((each) => each(values)).join(',')}]`;
}

function memberText(key: string): string {
  if (/^\d+$/.test(key)) return `[${key}]`;
  return isName(key) ? `.${key}` : `[${JSON.stringify(key)}]`;
}

function isName(text: string): boolean {
  return /^(?!(true|false|null)$)[A-Za-z_$][\w$]*$/.test(text);
}

function renderOf(given: unknown): Render | undefined {
  return typeof given === 'function' && RENDER in given ? (given[RENDER] as Render) : undefined;
}

function isLambda(given: unknown): given is Lambda {
  return typeof given === 'function';
}
