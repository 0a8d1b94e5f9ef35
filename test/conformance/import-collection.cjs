/**
 * Imports the Postman collection and its environment as Postman does, by its own SDK, and fails if anything is lost: a folder,
 * a request, a saved reply, a test or a variable.
 *
 *   node import-collection.cjs collection.json environment.json
 */
const { readFileSync } = require('node:fs');
const { Collection, VariableScope } = require('postman-collection');

const [collection, environment] = process.argv.slice(2).map((file) => JSON.parse(readFileSync(file, 'utf8')));
if (!/\/v2\.1\.0\/collection\.json$/.test(collection.info.schema)) throw new Error('not of format 2.1');
const imported = new Collection(collection).toJSON();

/** What a collection holds, as one line each. */
function contents(items, path = '') {
  return items.flatMap((item) => {
    const name = `${path}/${item.name}`;
    if (item.item) return [name, ...contents(item.item, name)];
    const { method, url, body, header, auth } = item.request;
    const request = [method, url.path.join('/'), body?.raw, JSON.stringify(header), auth?.type];
    const tests = item.event.map(({ script }) => script.exec.join('\n'));
    const replies = item.response.map((reply) => `${reply.name} ${reply.code} ${reply.body}`);
    return [[name, ...request, ...tests, ...replies].join(' | ')];
  });
}
const given = contents(collection.item);
const kept = contents(imported.item);
const lost = given.filter((line) => !kept.includes(line));
if (lost.length > 0) throw new Error(`lost or changed by the import:\n${lost.join('\n').slice(0, 2000)}`);
const variables = new VariableScope(environment).values.map(({ key }) => key);
const requests = JSON.stringify([collection.auth, collection.item]);
for (const { key, value } of collection.variable) {
  const isGiven = key !== 'baseUrl' && value !== '';
  const isAsked = requests.includes(`{{${key}}}`);
  if (isAsked && !isGiven && !variables.includes(key)) throw new Error(`the environment has no ${key}`);
}
console.log(`Postman imports ${given.length} folders and requests as they are.`);
