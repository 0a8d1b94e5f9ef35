/** The visible configuration of a running server, and the actions on it. Holds names, and never a value. */

/** One entry of the configuration that is not as it was. */
export interface ConfigChange {
  /** For example `providers`; `settings` for environment variables. */
  readonly section: string;
  readonly name: string;
  readonly change: 'added' | 'removed' | 'changed';
  /** Which of its fields differ, where it has fields and has changed. */
  readonly fields: readonly string[];
}

interface ConfigSection {
  readonly name: string;
  readonly entries: readonly string[];
  /** Whether changes to it hold from a reload on; otherwise they need a restart. */
  readonly reloadable: boolean;
}

/** A reload that was refused. */
export interface RefusedReload {
  /** Milliseconds since the epoch. */
  readonly at: number;
  /** One sentence each, with line and column where it is in the file. */
  readonly problems: readonly string[];
}

export interface LoadedConfig {
  /** The YAML file; null: there is none. */
  readonly file: string | null;
  /** Since when it holds, in milliseconds since the epoch. */
  readonly loadedAt: number;
  /** The same on every server on the database that uses the same configuration, `settings` aside. Reveals nothing of its content. */
  readonly digest: string;
  readonly sections: readonly ConfigSection[];
  /** The changes found when the files were last read that hold from the next start on. */
  readonly needsRestart: readonly ConfigChange[];
  /** The last attempt to reload, if it was refused. */
  readonly refused: RefusedReload | null;
}

export interface ConfigControl {
  current(): LoadedConfig;
  /**
   * Reads the files again and applies what has changed, which it gives back. Rejects with a `ConfigError` when they are
   * wrong, and with what applying it rejects with; the old configuration then stays.
   * @param actor who the audit log says it was
   */
  reload(actor: string): Promise<readonly ConfigChange[]>;
}
