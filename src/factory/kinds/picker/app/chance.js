/** A whole number from 0 up to but not including `count`, each as likely as any other. */
export function below(count) {
  const range = 2 ** 32;
  const fair = range - (range % count);
  const [value] = crypto.getRandomValues(new Uint32Array(1));
  return value < fair ? value % count : below(count);
}

/** The list in an order by chance (Fisher and Yates). */
export function shuffled(list) {
  const mixed = [...list];
  for (let last = mixed.length - 1; last > 0; last--) {
    const other = below(last + 1);
    [mixed[last], mixed[other]] = [mixed[other], mixed[last]];
  }
  return mixed;
}
