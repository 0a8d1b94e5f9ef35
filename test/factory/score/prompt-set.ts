import { readFileSync } from 'node:fs';
import path from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { parse } from 'yaml';
import { read as readPrompt } from '../../../src/factory/read/read.ts';
import type { AppSpec } from '../../../src/factory/spec.ts';

export const setNames = ['heldout', 'development', 'regression'] as const;
export type SetName = (typeof setNames)[number];

export const promptLangs = ['en', 'de', 'es', 'fr', 'it', 'pt'] as const;
export type PromptLang = (typeof promptLangs)[number];

/** One text, or several spellings of which one suffices. */
export type Spellings = string | readonly string[];

export interface ExpectedField {
  readonly label: readonly string[];
  readonly type: readonly string[];
  readonly options?: readonly string[];
  readonly required?: true;
}

/** What must hold of the spec for a prompt. Its members are described in `prompts.schema.json`. */
export interface Expectation {
  readonly kind: readonly string[];
  readonly variant?: readonly string[];
  readonly unserved?: boolean;
  readonly head?: Spellings;
  readonly name?: readonly string[];
  readonly name_contains?: readonly string[];
  readonly accent_hue?: Spellings;
  readonly mode?: 'light' | 'dark';
  readonly currency?: string;
  readonly fields?: readonly ExpectedField[];
  readonly only_fields?: true;
  readonly no_fields?: readonly string[];
  readonly no_totals?: readonly string[];
  readonly features?: readonly string[];
  readonly facts?: readonly Spellings[];
  readonly items?: readonly (readonly Spellings[])[];
  readonly in_order?: readonly (readonly string[])[];
  readonly absent?: readonly string[];
  readonly not_taken_up?: readonly Spellings[];
}

export interface PromptEntry {
  readonly id: string;
  readonly lang: PromptLang;
  readonly prompt_lang?: PromptLang;
  readonly prompt: string;
  readonly same?: Readonly<Record<string, readonly string[]>>;
  readonly expect: Expectation;
}

const folder = path.join(import.meta.dirname, '../prompts');
const schema = JSON.parse(readFileSync(path.join(folder, 'prompts.schema.json'), 'utf8'));
const validate = new Ajv2020({ allErrors: true, strict: true, strictRequired: false }).compile<PromptEntry[]>(
  schema,
);

/** What is wrong with a would-be set of prompts, by path; empty when it fits the schema. */
export function setProblems(candidate: unknown): string[] {
  if (validate(candidate)) return [];
  return (validate.errors ?? []).map((error) => `${error.instancePath} ${error.message}`);
}

/** The prompts of a set. Throws when its file does not fit the schema. */
export function promptSet(name: SetName): PromptEntry[] {
  const entries: unknown = parse(readFileSync(path.join(folder, `${name}.yaml`), 'utf8'));
  const problems = setProblems(entries);
  if (problems.length > 0) throw new Error(`${name}.yaml: ${problems.join('; ')}`);
  const langOf = ({ id, lang = id.split('-')[1] as PromptLang }: PromptEntry) => lang;
  return (entries as PromptEntry[]).map((entry) => ({ ...entry, lang: langOf(entry) }));
}

/** The spellings of a text, as a list. */
export const spellingsOf = (spellings: Spellings): readonly string[] =>
  typeof spellings === 'string' ? [spellings] : spellings;

/** The language in which the prompt itself is written. */
export const promptLangOf = ({ lang, prompt_lang }: PromptEntry): PromptLang => prompt_lang ?? lang;

/** What is scored: the reader of prompts. */
export function read(prompt: string): Reading & { readonly spec: AppSpec } {
  const { spec, notTakenUp, unserved, doubt } = readPrompt(prompt);
  return {
    spec,
    notTakenUp,
    unserved: unserved && `${unserved.head}: ${unserved.message}`,
    doubt: doubt ? `${doubt.head}: ${doubt.message}` : null,
    choices: (unserved ?? doubt)?.nearest.slice(0, 3) ?? [],
  };
}

/** What the reader of prompts says beside its spec. */
export interface Reading {
  /** What the prompt asks for and the spec does not have. */
  readonly notTakenUp: readonly string[];
  /** The head noun that no kind serves, or a sentence that names it; null if a kind serves the prompt. */
  readonly unserved: string | null;
  /** The question that is asked first where the reader is not sure; null or left out where it is. */
  readonly doubt?: string | null;
  /** The kinds that the question, or what is said of no kind, offers. */
  readonly choices?: readonly string[];
}
