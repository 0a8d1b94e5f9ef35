/** What vendors say against a request in less than the full form of their wire, as compatible servers do. */
import { expect, it } from 'vitest';
import { beforeFourVendors, modelOn } from '../../helpers/four-vendors.ts';
import { askOn, wireNames } from '../../helpers/wire-clients.ts';

it.each(wireNames)('go to a client on %s as they are', async (client) => {
  const said = { error: { message: 'No such thing.' }, detail: [{ loc: ['body'], msg: 'No.' }] };
  const { app } = await beforeFourVendors(({ json }) => json(said, 400));
  const { status, text } = await askOn(app, client, modelOn[client], 'Hi');
  expect([status, JSON.parse(text)]).toEqual([400, said]);
});
