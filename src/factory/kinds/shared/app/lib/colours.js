const shades = 6;

/**
 * The class of the nth of several things: of an option its place among the options, wherever it is shown.
 * @param {number} index
 */
export const shadeClass = (index) => (index < 0 ? 'c0' : `c${(index % shades) + 1}`);

/**
 * The class of an option of a field; what is none of its options, as after an import, has no colour of its own.
 * @param {Pick<import('./app.js').Field, 'options'>} field
 * @param {string | null} option
 */
export const optionClass = (field, option) => shadeClass(field.options.indexOf(option ?? ''));

/**
 * The same as a colour.
 * @param {number} index
 */
export const shade = (index) => (index < 0 ? 'var(--field-line)' : `var(--${shadeClass(index)})`);
/**
 * @param {Pick<import('./app.js').Field, 'options'>} field
 * @param {string | null} option
 */
export const optionShade = (field, option) => shade(field.options.indexOf(option ?? ''));

/**
 * Whether as many things can be told apart by their colours.
 * @param {{ colour?: string | undefined }[]} entries
 */
export const distinct = (entries) => new Set(entries.map(({ colour }) => colour)).size === entries.length;
