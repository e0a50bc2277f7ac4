/** The address of the gateway: the folder above the console, whatever prefix a proxy adds. */
const gatewayRoot = rootOf(location);

/** The address of an endpoint, whose path has no leading slash. */
export function endpoint(path: string): string {
  return new URL(path, gatewayRoot).href;
}

/** The address of the gateway that serves the page at this address. Ends with a slash. */
function rootOf({ origin, pathname }: Pick<Location, 'origin' | 'pathname'>): string {
  return origin + pathname.replace(/console\/?$/, '');
}
