/** A link with a query in its fragment, which browsers do not send to servers. */

export interface LinkedQuery {
  readonly query: string;
  /** JSON. */
  readonly data?: string;
  readonly stage?: string;
  readonly view?: string;
}

/** The address of the page with the query. */
export function linkTo({ query, data = '', stage = '', view = '' }: LinkedQuery): string {
  const members = Object.entries({ query, data, stage, view }).filter(([, text]) => text !== '');
  const address = new URL(location.href);
  address.hash = new URLSearchParams(members).toString();
  return address.href;
}

/** The query in a fragment; undefined if there is none. */
export function decodeLink(hash: string): LinkedQuery | undefined {
  const members = new URLSearchParams(hash.replace(/^#/, ''));
  const query = members.get('query');
  if (query === null) return undefined;
  const optional = (['data', 'stage', 'view'] as const).flatMap((name) => {
    const text = members.get(name);
    return text === null ? [] : [[name, text] as const];
  });
  return { query, ...Object.fromEntries(optional) };
}
