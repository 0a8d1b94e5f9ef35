import type { FileContent } from './file-content.ts';

/** Keys and indexes from the top of the file to a value. */
export type Path = readonly string[];

/** The optional YAML file, read. */
export interface ConfigFile {
  /** Whether there is a file that could not be used; its content is then empty. */
  readonly broken: boolean;
  readonly content: FileContent;
  /** A problem as it is reported: file, line and column (from 1), path, and what is wrong. */
  problem(path: Path, text: string, part?: 'key' | 'value'): string;
}

/** Stands for the file when there is none. */
export const noFile: ConfigFile = { broken: false, content: {}, problem: (_path, text) => text };

/** Stands for a file that cannot be read. */
export const brokenFile: ConfigFile = { ...noFile, broken: true };
