/**
 * @typedef {import('../../../generated/types.gen.ts').BuildEvent} BuildEvent
 * @typedef {import('../../../generated/types.gen.ts').FactoryJob} FactoryJob
 * @typedef {FactoryJob['status']} Status
 * @typedef {NonNullable<FactoryJob['stage']>} Stage
 * @typedef {{ id: Stage, state: 'waiting' | 'active' | 'done' | 'failed', durationMs: number | null }} StageState
 */

/**
 * What is known of a build, from its record or from its events.
 * @typedef {object} BuildState
 * @property {string | null} jobId
 * @property {Status} status
 * @property {string} prompt
 * @property {string | null} title
 * @property {string} message the latest thing that happened, in one line
 * @property {number} percent
 * @property {number | null} ahead how many builds are before it in the queue
 * @property {readonly StageState[]} stages
 * @property {FactoryJob['engine'] | null} engine
 * @property {FactoryJob['plan']} plan
 * @property {readonly { path: string, bytes: number }[]} files
 * @property {number} filesTotal
 * @property {FactoryJob['checks']} checks
 * @property {readonly string[]} notices
 * @property {FactoryJob['artifact']} artifact
 * @property {FactoryJob['preview']} preview
 * @property {FactoryJob['error']} error
 * @property {string | null} expiresAt
 * @property {number | null} durationMs
 * @property {FactoryJob['revision'] | null} revision
 */

/** @type {readonly Stage[]} */
const defaultStages = ['planning', 'generating', 'verifying', 'packaging'];

/** @returns {readonly StageState[]} */
const waitingStages = () => defaultStages.map((id) => ({ id, state: 'waiting', durationMs: null }));

/**
 * A build that was asked for and of which nothing is known yet.
 * @param {string} prompt
 * @returns {BuildState}
 */
export function newBuild(prompt) {
  return {
    jobId: null,
    status: 'queued',
    prompt,
    title: null,
    message: '',
    percent: 0,
    ahead: null,
    stages: waitingStages(),
    engine: null,
    plan: null,
    files: [],
    filesTotal: 0,
    checks: [],
    notices: [],
    artifact: null,
    preview: null,
    error: null,
    expiresAt: null,
    durationMs: null,
    revision: null,
  };
}

/**
 * @param {FactoryJob} job
 * @returns {BuildState}
 */
export function buildOf(job) {
  return withRecord({ ...newBuild(job.prompt), stages: stagesOf(job) }, job);
}

/**
 * @param {BuildState} state
 * @param {BuildEvent} event
 * @returns {BuildState}
 */
export function afterEvent(state, event) {
  const next = { ...state, message: event.message };
  switch (event.type) {
    case 'job.queued':
      return withRecord(next, event.job);
    case 'queue.position':
      return { ...next, ahead: event.ahead };
    case 'job.started':
      return {
        ...next,
        ...{ status: 'running', ahead: null, percent: 0, stages: waitingStages() },
        ...{ files: [], filesTotal: 0, checks: [] },
      };
    case 'stage.started':
      return {
        ...next,
        percent: event.percent,
        stages: entered(state.stages, /** @type {Stage} */ (event.stage)),
        checks: event.stage === 'verifying' ? [] : state.checks,
      };
    case 'stage.completed':
      return {
        ...next,
        percent: event.percent,
        stages: state.stages.map((stage) =>
          stage.id === event.stage ? { ...stage, state: 'done', durationMs: event.duration_ms } : stage,
        ),
      };
    case 'plan.ready':
      return { ...next, plan: event.plan, title: event.plan.name };
    case 'file.completed': {
      const others = state.files.filter(({ path }) => path !== event.path);
      return {
        ...next,
        files: [...others, { path: event.path, bytes: event.bytes }],
        filesTotal: event.total,
      };
    }
    case 'check.completed': {
      const others = state.checks.filter(({ id }) => id !== event.check.id);
      return { ...next, checks: [...others, event.check] };
    }
    case 'notice':
      return { ...next, notices: [...state.notices, event.message] };
    case 'artifact.ready':
      return { ...next, artifact: event.artifact };
    case 'preview.ready':
      return { ...next, preview: event.preview };
    case 'job.succeeded':
    case 'job.failed':
    case 'job.unsure':
    case 'job.cancelled':
      return withRecord({ ...next, stages: ended(state.stages, event.job.status) }, event.job);
    case 'heartbeat':
      return state;
    default:
      // New types may be added; what they say is worth showing, more is not known.
      return next;
  }
}

/** @param {Status} status */
export function isOver(status) {
  return status !== 'queued' && status !== 'running';
}

/**
 * @param {BuildState} state
 * @param {FactoryJob} job
 * @returns {BuildState}
 */
function withRecord(state, job) {
  return {
    ...state,
    jobId: job.id,
    status: job.status,
    prompt: job.prompt,
    title: job.title ?? state.title,
    percent: job.progress.percent,
    ahead: job.queue.ahead,
    engine: job.engine,
    plan: job.plan ?? state.plan,
    files: state.files.length > 0 ? state.files : job.files,
    filesTotal: Math.max(state.filesTotal, job.progress.files_total),
    checks: state.checks.length > 0 ? state.checks : job.checks,
    artifact: job.artifact,
    preview: job.preview,
    error: job.error,
    expiresAt: job.expires_at,
    durationMs: job.usage.duration_ms,
    revision: job.revision ?? null,
  };
}

/**
 * @param {FactoryJob} job
 * @returns {readonly StageState[]}
 */
function stagesOf({ stage, status, repair_rounds }) {
  const all = repair_rounds > 0 || stage === 'repairing' ? withRepair(waitingStages()) : waitingStages();
  if (stage === null) return all;
  return ended(entered(all, stage), status);
}

/** @param {readonly StageState[]} stages */
function withRepair(stages) {
  if (stages.some(({ id }) => id === 'repairing')) return stages;
  /** @type {StageState} */
  const repairing = { id: 'repairing', state: 'waiting', durationMs: null };
  return stages.flatMap((stage) => (stage.id === 'verifying' ? [stage, repairing] : [stage]));
}

/**
 * @param {readonly StageState[]} stages
 * @param {Stage} id the stage that begins
 * @returns {readonly StageState[]}
 */
function entered(stages, id) {
  const all = id === 'repairing' ? withRepair(stages) : stages;
  const index = all.findIndex((stage) => stage.id === id);
  return all.map((stage, n) => {
    if (n === index) return { ...stage, state: 'active' };
    if (n < index || stage.state === 'active') return { ...stage, state: 'done' };
    return stage;
  });
}

/**
 * @param {readonly StageState[]} stages
 * @param {Status} status
 * @returns {readonly StageState[]}
 */
function ended(stages, status) {
  if (status === 'succeeded') return stages.map((stage) => ({ ...stage, state: 'done' }));
  if (!isOver(status)) return stages;
  return stages.map((stage) => (stage.state === 'active' ? { ...stage, state: 'failed' } : stage));
}
