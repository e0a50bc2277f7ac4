/** Reads the Content-Length header. */

/** The announced bytes of a body; undefined when absent or no plain number. */
export function contentLength(text: string): number | undefined {
  return /^\d{1,15}$/.test(text) ? Number(text) : undefined;
}

/** Whether the announced length alone says that the body is over the limit. */
export function announcesMoreThan(text: string, bytesMax: number): boolean {
  if (text === '') return false;
  const announced = contentLength(text);
  return announced === undefined || announced > bytesMax;
}
