import type { Warning } from '../../../../../generated/types.gen.ts';

/** Gathers what had to be adapted, each thing once. */
export class Notes {
  readonly #warnings = new Map<string, Warning>();

  add(code: Warning['code'], message: string, param: string | null): void {
    this.#warnings.set(`${code} ${message}`, { code, message, param });
  }

  get warnings(): readonly Warning[] {
    return [...this.#warnings.values()];
  }
}
