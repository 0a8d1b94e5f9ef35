/** The texts of the interface, written for each app: those that its programs ask for, in its language. */
export const strings: Readonly<Record<string, string>>;
