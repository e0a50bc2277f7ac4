/** Where the gateway is: the folder above the console, behind whatever prefix a proxy puts before it. */
const gatewayRoot = rootOf(location);

/** The address of an endpoint, given without a slash in front. */
export function endpoint(path: string): string {
  return new URL(path, gatewayRoot).href;
}

/** The address of the gateway that serves the page at this address. Ends with a slash. */
function rootOf({ origin, pathname }: Pick<Location, 'origin' | 'pathname'>): string {
  return origin + pathname.replace(/console\/?$/, '');
}
