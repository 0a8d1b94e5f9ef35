/** Letters of 5 by 7 pixels: the ones that the mark is written with. */
const letters: Readonly<Record<string, readonly string[]>> = {
  A: ['.###.', '#...#', '#...#', '#####', '#...#', '#...#', '#...#'],
  B: ['####.', '#...#', '#...#', '####.', '#...#', '#...#', '####.'],
  C: ['.####', '#....', '#....', '#....', '#....', '#....', '.####'],
  D: ['####.', '#...#', '#...#', '#...#', '#...#', '#...#', '####.'],
  E: ['#####', '#....', '#....', '####.', '#....', '#....', '#####'],
  H: ['#...#', '#...#', '#...#', '#####', '#...#', '#...#', '#...#'],
  I: ['.###.', '..#..', '..#..', '..#..', '..#..', '..#..', '.###.'],
  L: ['#....', '#....', '#....', '#....', '#....', '#....', '#####'],
  M: ['#...#', '##.##', '#.#.#', '#.#.#', '#...#', '#...#', '#...#'],
  N: ['#...#', '##..#', '##..#', '#.#.#', '#..##', '#..##', '#...#'],
  O: ['.###.', '#...#', '#...#', '#...#', '#...#', '#...#', '.###.'],
  R: ['####.', '#...#', '#...#', '####.', '#.#..', '#..#.', '#...#'],
  S: ['.####', '#....', '#....', '.###.', '....#', '....#', '####.'],
  T: ['#####', '..#..', '..#..', '..#..', '..#..', '..#..', '..#..'],
  W: ['#...#', '#...#', '#...#', '#.#.#', '#.#.#', '##.##', '#...#'],
  X: ['#...#', '#...#', '.#.#.', '..#..', '.#.#.', '#...#', '#...#'],
};

export const letterHeight = 7;
/** A letter and the gap behind it. */
const advance = 6;

/** Width of a line, in pixels of the letters. */
export function lineWidth(text: string): number {
  return text.length * advance - 1;
}

/** The pixels that a line of text sets, from its upper left corner. What is no such letter is a blank. */
export function* linePixels(text: string): Generator<readonly [x: number, y: number]> {
  for (const [index, letter] of [...text].entries()) {
    for (const [y, row] of (letters[letter] ?? []).entries()) {
      for (let x = 0; x < row.length; x += 1) if (row[x] === '#') yield [index * advance + x, y];
    }
  }
}
