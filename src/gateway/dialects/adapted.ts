import type { Warning, WarningCode } from '../../../generated/types.gen.ts';

/** Gathers what of a call was adapted, each thing once. */
export class Adapted {
  readonly #model: string;
  readonly #warnings = new Map<string, Warning>();

  constructor(model: string) {
    this.#model = model;
  }

  warn(code: WarningCode, param: string, message: (model: string) => string): void {
    const key = `${code} ${param}`;
    if (!this.#warnings.has(key)) this.#warnings.set(key, { code, message: message(this.#model), param });
  }

  get warnings(): readonly Warning[] {
    return [...this.#warnings.values()];
  }
}
