/** What a calculator asks for and reckons: in an app, that of its variant, from formulas.js. */
export const formula: {
  readonly inputs: readonly FormulaInput[];
  compute(values: Readonly<Record<string, never>>): FormulaLine[];
};

interface FormulaInput {
  readonly key: string;
  readonly label: string;
  readonly start: string | number;
  readonly unit?: string;
  readonly type?: string;
  readonly options?: readonly string[];
  readonly min?: string | number;
  readonly max?: number;
  readonly above?: number;
  readonly step?: number;
  readonly slider?: readonly [number, number, number];
}

interface FormulaLine {
  readonly label: string;
  readonly value: string | number;
  readonly format: string;
  readonly note?: string;
  readonly tone?: string;
}
