/** Whether a parameter of a URL, such as `ssl`, switches something on. */
export function isSwitchedOn(value: string): boolean {
  return !/^(false|0|no|off|disabled?)$/i.test(value);
}
