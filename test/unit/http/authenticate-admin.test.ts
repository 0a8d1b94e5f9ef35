import { expect, it, vi } from 'vitest';
import { adminBearer } from '../../../src/http/authenticate-admin.ts';

it.each(['correct horse battery staple', 'Schlüssel für Zürich', '合言葉は長いほうがよい'])(
  'the administrator’s password %s is read as it was sent',
  async (password) => {
    const check = vi.fn(async () => undefined);
    // As Node reads headers: each byte of the UTF-8 is a character.
    const authorization = `Bearer ${Buffer.from(password).toString('latin1')}`;
    await adminBearer(check)(
      { authorization },
      { method: 'GET', query: '', client: 'client', remoteAddress: undefined },
    );
    expect(check).toHaveBeenCalledWith(password, 'client');
  },
);
