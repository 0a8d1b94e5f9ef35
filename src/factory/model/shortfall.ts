/** Why a model's work cannot be used. */
export type ShortfallReason = keyof typeof reasons;

/** What those who watch the build are told. Nothing in it comes from a vendor or from a model's answer. */
const reasons = {
  allowance: "The demo's builds by a model are used up for today",
  unreachable: 'The model could not be reached',
  context: "The model's context is too small for the build's prompt",
  refused: 'The model declined to answer',
  plan: 'The model gave no plan that can be used',
  noFiles: 'The model sent no files',
  incomplete: 'The model did not bring its files to an end',
  checks: 'What the model made did not pass the checks',
  noProgress: 'The model could not repair its files',
  tokens: 'The build has used up the tokens that it may take',
  cost: 'The build has used up what it may cost',
  time: 'The model took longer than a build may',
  calls: 'The build has used up the calls that it may make',
} as const;

/** A model's work fell short of what is needed: the build goes one step down the ladder. */
export class Shortfall extends Error {
  override readonly name = 'Shortfall';
  readonly reason: ShortfallReason;

  /** @param figures what a reader can act upon, after a colon; null: nothing */
  constructor(reason: ShortfallReason, figures: string | null = null, options: ErrorOptions = {}) {
    super(figures === null ? reasons[reason] : `${reasons[reason]}: ${figures}`, options);
    this.reason = reason;
  }
}
