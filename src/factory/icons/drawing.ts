/** The shapes of a picture on a grid of 24 by 24, drawn with a round pen that is 2 wide: names of SVG elements and their attributes. */
export type Drawing = readonly (readonly [string, Readonly<Record<string, string>>])[];
