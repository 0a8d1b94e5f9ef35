const shades = 6;

/** The class of the nth of several things: of an option its place among the options, wherever it is shown. */
export const shadeClass = (index) => (index < 0 ? 'c0' : `c${(index % shades) + 1}`);

/** The class of an option of a field; what is none of its options, as after an import, has no colour of its own. */
export const optionClass = (field, option) => shadeClass(field.options.indexOf(option));

/** The same as a colour. */
export const shade = (index) => (index < 0 ? 'var(--field-line)' : `var(--${shadeClass(index)})`);
export const optionShade = (field, option) => shade(field.options.indexOf(option));

/** Whether as many things can be told apart by their colours. */
export const distinct = (entries) => new Set(entries.map(({ colour }) => colour)).size === entries.length;
