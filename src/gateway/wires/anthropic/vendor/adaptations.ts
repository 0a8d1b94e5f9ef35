import type { Warning, WarningCode } from '../../../../../generated/types.gen.ts';

/** What of a call had to be adapted, each thing told once. */
export class Adaptations {
  readonly #told = new Map<string, Warning>();

  tell(code: WarningCode, param: string | null, message: string): void {
    const key = `${code} ${param}`;
    if (!this.#told.has(key)) this.#told.set(key, { code, message, param });
  }

  get warnings(): Warning[] {
    return [...this.#told.values()];
  }
}
