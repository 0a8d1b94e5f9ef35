/** The seven pieces, each in a box of its own, with the hue that it is drawn in. */
export const pieces = {
  I: { hue: 190, cells: ['....', 'XXXX', '....', '....'] },
  O: { hue: 45, cells: ['XX', 'XX'] },
  T: { hue: 275, cells: ['.X.', 'XXX', '...'] },
  S: { hue: 140, cells: ['.XX', 'XX.', '...'] },
  Z: { hue: 2, cells: ['XX.', '.XX', '...'] },
  J: { hue: 222, cells: ['X..', 'XXX', '...'] },
  L: { hue: 25, cells: ['..X', 'XXX', '...'] },
};

/** Turned to the right by a quarter. */
export const turned = (cells) =>
  cells.map((_, x) =>
    [...cells]
      .reverse()
      .map((line) => line[x])
      .join(''),
  );

/** The places that a piece takes on the board: `[x, y]`, above the board with a negative `y`. */
export const placesOf = ({ cells, x, y }) =>
  cells.flatMap((line, dy) => [...line].flatMap((cell, dx) => (cell === 'X' ? [[x + dx, y + dy]] : [])));

let bag = [];

/** The next piece. All seven come before one comes again, so nobody waits long for the one that fits. */
export function drawPiece() {
  if (bag.length === 0) {
    bag = Object.keys(pieces);
    for (let last = bag.length - 1; last > 0; last--) {
      const other = Math.floor(Math.random() * (last + 1));
      [bag[last], bag[other]] = [bag[other], bag[last]];
    }
  }
  const name = bag.pop();
  return { name, cells: pieces[name].cells };
}
