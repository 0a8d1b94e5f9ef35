/** The phases of a timer, in order. `counts` marks the ones that go into the log. */
export function planOf(variant, settings) {
  if (variant === 'stopwatch') return [{ name: 'time', seconds: 0, counts: false }];
  if (variant === 'countdown')
    return [{ name: 'countdown', seconds: Math.round(settings.minutes * 60), counts: true }];
  if (variant === 'intervals') {
    const rounds = Array.from({ length: settings.rounds }, (_, index) => [
      { name: 'effort', seconds: settings.effort, counts: true },
      ...(index < settings.rounds - 1 ? [{ name: 'rest', seconds: settings.rest, counts: false }] : []),
    ]);
    return [{ name: 'prepare', seconds: 10, counts: false }, ...rounds.flat()];
  }
  return Array.from({ length: settings.rounds }, (_, index) => [
    { name: 'work', seconds: settings.work * 60, counts: true },
    index < settings.rounds - 1
      ? { name: 'shortBreak', seconds: settings.shortBreak * 60, counts: false }
      : { name: 'longBreak', seconds: settings.longBreak * 60, counts: false },
  ]).flat();
}
