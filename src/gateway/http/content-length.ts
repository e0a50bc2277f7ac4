/** Reads the Content-Length header. */

/**
 * Whether the announced length alone says that the body is over the limit. Both parsers have refused
 * what is no number.
 */
export function announcesMoreThan(contentLength: string, bytesMax: number): boolean {
  return contentLength !== '' && Number(contentLength) > bytesMax;
}
