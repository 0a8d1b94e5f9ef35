/** The terms on which limits are leased: every authority keeps to the same. */

/** How long a request counts in a window of a minute, in milliseconds. */
export const minuteMs = 60_000;
/** How long what is leased may be used, in milliseconds. */
export const leaseMs = 250;
/** By how much longer a lease counts than it can be used, for clocks that do not run quite alike, in milliseconds. */
export const marginMs = 25;
/** Nobody is leased more than this part of what is left: the rest is for others, and for what is asked exactly. */
export const shareOfRest = 16;
/** So many times the need is the least that is leased. Where there is less, every request is decided by the authority. */
export const minLease = 3;
/**
 * A bucket holds so many ends to the millisecond; further ones are rounded up to a multiple of `roundedMs`, of which 122 can
 * be ahead, and two more for each second that a minute counts longer as clocks are in doubt. So it holds at most 186.
 */
export const exactEntries = 64;
/** To what further ends are rounded up, in milliseconds: half of it is what a busy minute counts too long, on average. */
export const roundedMs = 500;
/** When it is worth asking again for what runs: nobody knows when a request ends, and a second is what most take. */
export const runningWaitMs = 1_000;
