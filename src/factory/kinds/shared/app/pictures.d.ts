/** The pictures that an app uses, by name: the shapes of each on a grid of 24 by 24, and their attributes. */
export const pictures: Record<string, [string, Record<string, string>][]>;
