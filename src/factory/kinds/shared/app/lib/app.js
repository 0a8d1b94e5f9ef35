import { changed } from './changes.js';

/**
 * Something that is known of an entry. `type` is one of text, longtext, number, currency, date, time, select, checkbox,
 * rating, email, phone and url; `options` are what a select lets choose.
 * @typedef {{ key: string, label: string, type: string, required?: boolean, options: string[], total?: string, unit?: string, min?: number, max?: number }} Field
 *
 * What stands in the page. Which of the parts there are depends on the kind of app.
 * @typedef {object} App
 * @property {string} id names what is downloaded, and what a first build stores
 * @property {string} [family] the id of the first build, where this is a later one of the same app
 * @property {string} [line] tells this app from others that began as the same
 * @property {string} name
 * @property {string} tagline
 * @property {string} lang
 * @property {string} currency
 * @property {string} kind
 * @property {string} variant
 * @property {string} icon the name of its picture
 * @property {string[]} features
 * @property {Record<string, number>} settings
 * @property {Record<string, string>} copy
 * @property {{ singular: string, plural: string, fields: Field[] }} entity
 * @property {Record<string, string | number | boolean>[]} seed
 * @property {{ key: string, down: boolean }} sort
 * @property {string | null} done
 * @property {string | null} due
 * @property {string | null} column
 * @property {Section[]} sections
 * @property {{ prompt: string, answer: string, wrong: string[] }[]} questions
 * @property {{ days: string, time: string }[]} hours
 * @property {{ email?: string, phone?: string, address?: string, endpoint?: string }} contact
 * @property {Formula} formula
 * @property {{ rows: string[], marks: { label: string, colour?: string }[] }} grid
 * @property {string[]} choices
 *
 * @typedef {{ title: string, text?: string, price?: string, meta?: string, end?: string, place?: string, icon?: string }} Item
 * @typedef {{ type: string, title: string, text?: string, items: Item[] }} Section
 * @typedef {object} Formula
 * @property {{ key: string, label: string, unit?: string, value?: number, min?: number, max?: number }[]} inputs
 * @property {{ key: string, label: string, expression: string, unit?: string, decimals?: number }[]} results
 */

/**
 * What this app is as it was made: name, fields, first entries. It is read once from the page; edit it there.
 * @type {App}
 */
export const original = JSON.parse(document.getElementById('app-data')?.textContent ?? '{}');

/** The same with what its owner has changed since. */
export const app = changed(original);

/** Whether its owner has changed it. */
export const isChanged = app !== original;

/** What the first part of it lists, such as habits or notes. */
export const firstItems = () => app.sections[0]?.items ?? [];
