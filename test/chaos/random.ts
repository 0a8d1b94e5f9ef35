/** A stream of numbers that follows from its seed alone, so that a run can be had again. */
export interface Random {
  /** From 0 to below 1. */
  next(): number;
  /** A whole number from `min` to `max`, both included. */
  int(min: number, max: number): number;
  pick<T>(list: readonly T[]): T;
  /** True in this share of all cases. */
  chance(share: number): boolean;
  /** So many different ones of the list, in random order; all of them where there are fewer. */
  some<T>(list: readonly T[], count: number): T[];
  /** A stream of its own under this label: what is drawn from one does not shift the other. */
  fork(label: string): Random;
}

/** The generator is sfc32 (Chris Doty-Humphrey, PractRand), its state a hash of the seed. */
export function createRandom(seed: string): Random {
  let [a, b, c, counter] = hash(seed);
  const next = () => {
    const sum = (a + b + counter) | 0;
    counter = (counter + 1) | 0;
    a = b ^ (b >>> 9);
    b = (c + (c << 3)) | 0;
    c = ((c << 21) | (c >>> 11)) + sum;
    c |= 0;
    return (sum >>> 0) / 2 ** 32;
  };
  // The first numbers still resemble the seed.
  for (let n = 0; n < 12; n += 1) next();
  const int = (min: number, max: number) => min + Math.floor(next() * (max - min + 1));
  const random: Random = {
    next,
    int,
    pick<T>(list: readonly T[]): T {
      if (list.length === 0) throw new RangeError('There is nothing to pick from.');
      return list[int(0, list.length - 1)] as T;
    },
    chance: (share) => next() < share,
    some<T>(list: readonly T[], count: number): T[] {
      const left = [...list];
      const taken: T[] = [];
      while (taken.length < count && left.length > 0) {
        taken.push(...left.splice(int(0, left.length - 1), 1));
      }
      return taken;
    },
    fork: (label) => createRandom(`${seed}/${label}`),
  };
  return random;
}

/** cyrb128: 128 bits of a text. */
function hash(text: string): [number, number, number, number] {
  let [h1, h2, h3, h4] = [1779033703, 3144134277, 1013904242, 2773480762];
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    h1 = h2 ^ Math.imul(h1 ^ code, 597399067);
    h2 = h3 ^ Math.imul(h2 ^ code, 2869860233);
    h3 = h4 ^ Math.imul(h3 ^ code, 951274213);
    h4 = h1 ^ Math.imul(h4 ^ code, 2716044179);
  }
  h1 = Math.imul(h3 ^ (h1 >>> 18), 597399067);
  h2 = Math.imul(h4 ^ (h2 >>> 22), 2869860233);
  h3 = Math.imul(h1 ^ (h3 >>> 17), 951274213);
  h4 = Math.imul(h2 ^ (h4 >>> 19), 2716044179);
  h1 ^= h2 ^ h3 ^ h4;
  return [h1 | 0, (h2 ^ h1) | 0, (h3 ^ h1) | 0, (h4 ^ h1) | 0];
}
