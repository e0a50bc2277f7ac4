/** The address of the gateway: the folder above the console, whatever prefix a proxy adds. Ends with a slash. */
const gatewayRoot = location.origin + location.pathname.replace(/console\/?$/, '');

/** The address of an endpoint, whose path has no leading slash. */
export function endpoint(path: string): string {
  return new URL(path, gatewayRoot).href;
}
