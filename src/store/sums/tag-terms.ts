/** How many names of tags the sums tell apart, of a tenant and a day, and how many values of a name: clients choose both. */
export const maxNames = 100;
export const maxValues = 1_000;
/** The name, or the value, of all others. No tag can have it, as it begins with a control character. */
export const others = '\tothers';
