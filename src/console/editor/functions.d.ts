/** The functions of the language, which the build takes from the engine's table. */
declare module 'rowgate:functions' {
  export interface FunctionEntry {
    readonly name: string;
    readonly aliases: readonly string[];
    /** `round(x: numeric, digits: integer = 0)` */
    readonly form: string;
    readonly summary: string;
    readonly example: string;
  }

  export const functions: readonly FunctionEntry[];
}
